/**
 * All of S3's paths lead to one route: buckets and keys may be named as anything, `healthz`, `metrics`
 * and `docs` too, and anybody may read what is public of them. What the platform itself serves on the
 * port stands below `/-/`, which is no bucket's name.
 */
import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** Where the route of all operations is. */
export const S3_ROUTE = '/s3';
const OWN = '/-/';

export function rewriteS3Url(request: RewrittenRequest): string {
  const { url = '/' } = request;
  return url.startsWith(OWN) ? url.slice(OWN.length - 1) : S3_ROUTE;
}
