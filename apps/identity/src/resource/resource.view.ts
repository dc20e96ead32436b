/** How Keystone shows resources: alone under their kind, and in lists under its plural. */
import type { Type } from '@nestjs/common';
import { ArrayMinSize } from 'class-validator';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ListField } from '@cumulet/common/http/fields';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { AdditionalProperties, Shown, viewOf } from '@cumulet/common/http/shown';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { ExtensibleField, type Extra } from './extra-fields.js';

export class LinksView {
  @Shown(String, 'The address of the resource itself.')
  self: string;
}

/** A resource without properties of its clients' own. */
export class LinkedView {
  @Shown(String, 'What it is named by in paths and in other resources.')
  id: string;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

/** Beside these a resource shows the properties that its clients gave it. */
@AdditionalProperties()
export class ResourceView extends LinkedView {}

export class ListLinksView {
  @Shown(String, 'The address of the next page; null after the last.', { nullable: true })
  next: string | null;

  @Shown(String, 'The address of this page.')
  self: string;

  @Shown(String, 'Null: Keystone leads forwards alone.', { nullable: true })
  previous: string | null;
}

export type ResourceViewer<Row> = (row: Row, baseUrl: string) => object;

/** @param path where its resources are, `regions`; of a row where it depends on its owner */
export function resourceView<Row extends { readonly id: string; readonly extra?: Extra }>(
  view: Type<LinkedView>,
  path: string | ((row: Row) => string),
): ResourceViewer<Row> {
  const shown: (row: Row) => object = viewOf(view);
  const pathOf = typeof path === 'string' ? () => path : path;
  return (row, baseUrl) => ({
    ...row.extra,
    ...shown(row),
    links: { self: `${baseUrl}/v3/${pathOf(row)}/${encodeURIComponent(row.id)}` },
  });
}

/** The class of `{"region": {…}}`. */
export function shownUnder(kind: string, view: Type): Type {
  return named(`${view.name}Body`, ({ prototype }) =>
    Shown(() => view, `The ${kind.replaceAll('_', ' ')}.`)(prototype as object, kind),
  );
}

/** The class of `{"regions": […], "links": {…}}`. */
export function listedUnder(plural: string, view: Type): Type {
  return named(`${view.name}List`, (type) => {
    const prototype = type.prototype as object;
    const more = 'Whether there are more of them than the page shows.';
    Shown([() => view], `The ${plural.replaceAll('_', ' ')} of this page.`)(prototype, plural);
    Shown(() => ListLinksView, 'Where the list goes on.')(prototype, 'links');
    Shown(Boolean, more, { optional: true })(prototype, 'truncated');
  });
}

/** The class of `{"limits": […]}`, of several that are new. */
export function allShownUnder(plural: string, view: Type): Type {
  return named(`New${view.name}List`, ({ prototype }) =>
    Shown([() => view], `The new ${plural.replaceAll('_', ' ')}.`)(prototype as object, plural),
  );
}

/** The class of a request's `{"region": {…}}`. */
export function givenUnder(kind: string, dto: Type<object>): Type {
  return named(`${dto.name}Body`, ({ prototype }) =>
    ExtensibleField(() => dto)(prototype as object, kind),
  );
}

/** The class of a request's `{"limits": [{…}]}`, with at least one. */
export function allGivenUnder(plural: string, dto: Type<object>): Type {
  return named(`${dto.name}List`, ({ prototype }) => {
    ListField(() => dto)(prototype as object, plural);
    ArrayMinSize(1)(prototype as object, plural);
  });
}

/** A page under `plural` with its links. */
export function pageView<Row extends { readonly id: string }>(
  ctx: RequestContext,
  plural: string,
  { rows, more }: PageOfRows<Row>,
  view: ResourceViewer<Row>,
): object {
  return {
    [plural]: rows.map((row) => view(row, ctx.baseUrl)),
    links: listLinks(ctx, more ? rows.at(-1)?.id : undefined),
    ...(more ? { truncated: true } : {}),
  };
}

/** @param lastId of the last row of the page, where there are more after it */
export function listLinks(ctx: RequestContext, lastId?: string): ListLinksView {
  const url = ctx.fields.requestUrl ?? '';
  const next = lastId === undefined ? null : ctx.baseUrl + nextPageUrl(url, lastId);
  return { next, self: `${ctx.baseUrl}${url}`, previous: null };
}

const classes = new Map<string, Type>();

/** The class of this name, which stands once in the document; made where it is asked for first. */
function named(name: string, make: (type: Type) => void): Type {
  const known = classes.get(name);
  if (known) return known;
  class Made {
    [property: string]: unknown;
  }
  Object.defineProperty(Made, 'name', { value: name });
  make(Made);
  classes.set(name, Made);
  return Made;
}
