/** Links, and the pages of lists. Public source: Nova API guide, "Links and References". */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { PageOfRows } from '@cumulet/common/tables/table';

export const Link = answerClass('Link', {
  rel: Shown(String, 'The relation of the address to the resource.', {
    enum: ['self', 'bookmark', 'next'],
  }),
  href: Shown(String, 'The address.'),
});

/** A resource's address: `self` in this version of the API, `bookmark` in any. */
export function linksOf(
  collection: string,
  { id }: { readonly id: string },
  { baseUrl }: { readonly baseUrl: string },
): { rel: string; href: string }[] {
  return [
    { rel: 'self', href: `${baseUrl}/v2.1/${collection}/${id}` },
    { rel: 'bookmark', href: `${baseUrl}/${collection}/${id}` },
  ];
}

/** Maximum and default page size (Nova's `max_limit`). */
export const MAX_PAGE = 1000;

/** The class of `{"servers": […], "servers_links": […]}`. */
export function listedUnder(plural: string, view: Type): Type {
  return answerClass(`${view.name}List`, {
    [plural]: Shown([() => view], `The ${plural} of the page.`),
    [`${plural}_links`]: Shown([() => Link], 'The next page, if there is one.', {
      optional: true,
    }),
  });
}

/** A page under `plural`, with the next page's address if there is one. */
export function pageView<Row extends { readonly id: string }>(
  ctx: RequestContext,
  plural: string,
  { rows, more }: PageOfRows<Row>,
  view: (row: Row) => object,
): object {
  const last = more ? rows.at(-1) : undefined;
  return { [plural]: rows.map(view), ...nextLink(ctx, `${plural}_links`, last?.id) };
}

/** The link to the next page; nothing without a marker. */
export function nextLink(ctx: RequestContext, name: string, marker: string | undefined): object {
  if (marker === undefined) return {};
  const href = ctx.baseUrl + nextPageUrl(ctx.fields.requestUrl ?? '', marker);
  return { [name]: [{ rel: 'next', href }] };
}
