import type { RequestContext } from '@cumulet/common/context/request-context';

/** The `links` of a list that fits on one page. */
export function collectionLinks(ctx: RequestContext): object {
  return { next: null, self: `${ctx.baseUrl}${ctx.fields.requestUrl ?? ''}`, previous: null };
}
