import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** `/v2/` answers like `/v2`. No other trailing slash is dropped, since an ID follows it. */
export function rewriteImagesUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(/^\/v2\/(?=\?|$)/, '/v2');
}
