/** Which pages of other origins may ask for what. Public source: Amazon S3 API reference, "CORSRule". */
export const CORS_METHODS = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE'] as const;
export type CorsMethod = (typeof CORS_METHODS)[number];

export interface CorsRule {
  readonly id?: string;
  /** Each with at most one `*`, which stands for any characters. */
  readonly origins: readonly string[];
  readonly methods: readonly CorsMethod[];
  /** Of requests; each with at most one `*`. */
  readonly headers: readonly string[];
  /** Of answers, which scripts may read. */
  readonly exposed: readonly string[];
  /** How long a browser may keep the answer to a preflight. */
  readonly maxAgeSeconds?: number;
}
