/** Links to the previous and next page. Public source: neutron, `api/api_common.py`. */
import type { RequestContext } from '../context/request-context.js';
import { isReverse, limitOf, type Query } from './list-query.js';

export interface PageLink {
  readonly rel: 'next' | 'previous';
  readonly href: string;
}

/**
 * As in Neutron: a next link unless this is the end, and a previous link unless this is the
 * beginning. A full page may be the last, so the next may be empty.
 */
export function pageLinks(
  ctx: RequestContext,
  query: Query,
  rows: readonly { readonly id: string }[],
): PageLink[] {
  const limit = limitOf(query);
  if (limit === 0) return [];
  const reverse = isReverse(query);
  const isEnd = rows.length < limit;
  return [
    ...(isEnd && !reverse ? [] : [link(ctx, 'next', rows.at(-1)?.id)]),
    ...(isEnd && reverse ? [] : [link(ctx, 'previous', rows[0]?.id)]),
  ];
}

function link(ctx: RequestContext, rel: PageLink['rel'], marker: string | undefined): PageLink {
  const [path = '', text = ''] = (ctx.fields.requestUrl ?? '').split('?', 2);
  const params = new URLSearchParams(text);
  params.delete('marker');
  params.delete('page_reverse');
  if (marker !== undefined) params.set('marker', marker);
  if (rel === 'previous') params.set('page_reverse', 'True');
  return { rel, href: `${ctx.baseUrl}${path}?${params.toString()}` };
}
