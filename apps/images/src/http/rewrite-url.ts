import type { RewrittenRequest } from '@cumulet/common/context/rewritten-request';

/** Versions are told at `/v2/` as at `/v2`; no other path may end so, for what is after it is an id. */
export function rewriteImagesUrl({ url = '/' }: RewrittenRequest): string {
  return url.replace(/^\/v2\/(?=\?|$)/, '/v2');
}
