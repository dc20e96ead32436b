/**
 * What can be configured for a bucket, besides what has columns of its own. They stand together in
 * the bucket's row: each request reads the bucket by one statement.
 */
export interface Configurations {
  readonly [kind: string]: unknown;
}
