/**
 * How a bucket is served as a website. Public source: Amazon S3 API reference,
 * "WebsiteConfiguration".
 */
export interface Website {
  /** What a folder shows: `index.html`. Absent only with `redirectAll`. */
  readonly indexSuffix?: string;
  readonly errorKey?: string;
  readonly redirectAll?: { readonly host: string; readonly protocol?: Protocol };
  readonly rules?: readonly RoutingRule[];
}

export type Protocol = 'http' | 'https';

export interface RoutingRule {
  /** All of it has to hold; a rule without any always applies. */
  readonly condition: { readonly keyPrefix?: string; readonly errorStatus?: number };
  readonly redirect: Redirect;
}

export interface Redirect {
  readonly host?: string;
  readonly protocol?: Protocol;
  /** 301 by default. */
  readonly status?: number;
  /** At most one of these two. */
  readonly keyPrefix?: string;
  readonly key?: string;
}
