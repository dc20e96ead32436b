/**
 * All of S3's paths lead to one route: buckets and keys may be named as anything. What the platform
 * itself serves on the port stands below `/-/`, which can be no bucket's name, and its probes also
 * at the root for requests without a signature: these could only name a bucket with its project.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RewrittenRequest } from '@cumulet/common/http/rewritten-request';

/** Where the route of all operations is. */
export const S3_ROUTE = '/s3';
const OWN = '/-/';
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export function rewriteS3Url(request: RewrittenRequest): string {
  const { url = '/', headers } = request as RewrittenRequest & { headers?: IncomingHttpHeaders };
  if (url.startsWith(OWN)) return url.slice(OWN.length - 1);
  if (PROBES.has(url) && headers?.authorization === undefined) return url;
  return S3_ROUTE;
}
