import type { RewrittenRequest } from '@cumulet/common/http/rewritten-request';

/** `/v2/lbaas/pools`, but for the version's own document. */
const SHORT = /^\/v2(?=\/[^/?])/;

/** `/v2` and `/v2.0` are one version by two names; its routes have the longer one. */
export function rewriteLoadBalancerUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(SHORT, '/v2.0');
}
