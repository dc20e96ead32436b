import type { ServiceClient } from '@cumulet/clients/http/service-client';

/** Sister services, by what they are; undefined where this cloud has none. */
export interface Services {
  readonly compute: ServiceClient | undefined;
  readonly network: ServiceClient | undefined;
  readonly images: ServiceClient | undefined;
  readonly identity: ServiceClient;
  readonly loadBalancer: ServiceClient | undefined;
  readonly secrets: ServiceClient | undefined;
  readonly clusters: ServiceClient | undefined;
  readonly orchestration: ServiceClient;
  /** Where buckets are, which are spoken to in a way of their own. */
  readonly s3Url: string | undefined;
}

/** Those that speak JSON. */
export type ServiceName = Exclude<keyof Services, 's3Url'>;
