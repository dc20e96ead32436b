import type { RequestContext } from '@cumulet/common/context/request-context';
import { nextPageUrl } from '@cumulet/common/http/paging';

/** The `…_links` of a page that is not the last: where the next one is. */
export function nextLink(
  ctx: RequestContext,
  rows: readonly { readonly id: string }[],
): { rel: 'next'; href: string }[] {
  const last = rows.at(-1);
  const url = ctx.fields.requestUrl ?? '';
  return last ? [{ rel: 'next', href: `${ctx.baseUrl}${nextPageUrl(url, last.id)}` }] : [];
}
