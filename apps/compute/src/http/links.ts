import type { RequestContext } from '@cumulet/common/context/request-context';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { Shown } from '@cumulet/common/http/shown';

/** Nova API guide, "Links and References". */
export class Link {
  @Shown(String, 'What is at the address.', { enum: ['self', 'bookmark', 'next'] })
  rel: string;

  @Shown(String, 'The address.')
  href: string;
}

/** Where a resource is: `self` in this version of the API, `bookmark` in whichever there is. */
export function linksOf(collection: string, id: string, baseUrl: string): [Link, Link] {
  return [
    { rel: 'self', href: `${baseUrl}/v2.1/${collection}/${id}` },
    { rel: 'bookmark', href: `${baseUrl}/${collection}/${id}` },
  ];
}

/** The `…_links` of a page that is not the last: where the next one is. */
export function nextLink(ctx: RequestContext, rows: readonly { readonly id: string }[]): Link[] {
  const last = rows.at(-1);
  const url = ctx.fields.requestUrl ?? '';
  return last ? [{ rel: 'next', href: `${ctx.baseUrl}${nextPageUrl(url, last.id)}` }] : [];
}
