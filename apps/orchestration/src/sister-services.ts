import type { ServiceClient } from '@cumulet/clients/http/service-client';

/** Addresses of sister services; undefined where this cloud has none. */
export interface Services {
  readonly compute: ServiceClient | undefined;
  readonly network: ServiceClient | undefined;
  readonly images: ServiceClient | undefined;
  readonly identity: ServiceClient;
  readonly loadBalancer: ServiceClient | undefined;
  readonly secrets: ServiceClient | undefined;
  readonly clusters: ServiceClient | undefined;
  readonly orchestration: ServiceClient;
  /** For buckets, whose protocol is S3. */
  readonly s3Url: string | undefined;
}

/** Services with a JSON API. */
export type ServiceName = Exclude<keyof Services, 's3Url'>;
