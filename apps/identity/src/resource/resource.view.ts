/** Answers of Keystone: a resource under its kind, lists under its plural. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ArrayMinSize } from 'class-validator';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ListField } from '@cumulet/common/http/fields';
import { nextPageUrl } from '@cumulet/common/http/paging';
import { AdditionalProperties, answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import type { AnyAttributes } from '@cumulet/common/resources/attribute';
import { answerOf } from '@cumulet/common/resources/classes';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { ExtensibleField, type Extra } from './resource.dto.js';

export class LinksView {
  @Shown(String, 'The URL of the resource.')
  self: string;
}

/** A resource without further properties. */
export class LinkedView {
  @Shown(String, 'The ID.')
  id: string;

  @Shown(() => LinksView, 'Links to the resource.')
  links: LinksView;
}

/** A resource with the further properties that its clients gave it. */
@AdditionalProperties()
export class ResourceView extends LinkedView {}

type Properties = Readonly<Record<string, PropertyDecorator>>;

/** @param besides further or replaced properties */
export function linkedViewOf(
  attributes: AnyAttributes,
  besides: Properties = {},
): Type<LinkedView> {
  const links = Shown(() => LinksView, 'Links to the resource.');
  return answerOf(attributes, { ...besides, links }) as Type<LinkedView>;
}

export function resourceViewOf(
  attributes: AnyAttributes,
  besides: Properties = {},
): Type<ResourceView> {
  const view = linkedViewOf(attributes, besides);
  AdditionalProperties()(view);
  return view;
}

export class ListLinksView {
  @Shown(String, 'The URL of the next page; null on the last page.', { nullable: true })
  next: string | null;

  @Shown(String, 'The URL of this page.')
  self: string;

  @Shown(String, 'Always null: there is no link to the previous page.', { nullable: true })
  previous: string | null;
}

export type ResourceViewer<Row> = (row: Row, baseUrl: string) => object;

/** @param path of the list, `regions`; a function of the row where it depends on the owner */
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
  const about = `The ${kind.replaceAll('_', ' ')}.`;
  return once(`${view.name}Body`, { [kind]: Shown(() => view, about) });
}

/** The class of `{"regions": […], "links": {…}}`. */
export function listedUnder(plural: string, view: Type): Type {
  const about = `The ${plural.replaceAll('_', ' ')} of this page.`;
  const more = 'Whether there are more than this page shows.';
  return once(`${view.name}List`, {
    [plural]: Shown([() => view], about),
    links: Shown(() => ListLinksView, 'Links to this page and the next.'),
    truncated: Shown(Boolean, more, { optional: true }),
  });
}

/** The class of `{"limits": […]}`, for new resources. */
export function allShownUnder(plural: string, view: Type): Type {
  const about = `The new ${plural.replaceAll('_', ' ')}.`;
  return once(`New${view.name}List`, { [plural]: Shown([() => view], about) });
}

/** The class of a request's `{"region": {…}}`. */
export function givenUnder(kind: string, dto: Type<object>): Type {
  return once(`${dto.name}Body`, { [kind]: ExtensibleField(() => dto) });
}

/** The class of a request's `{"limits": [{…}]}`, with at least one. */
export function allGivenUnder(plural: string, dto: Type<object>): Type {
  const field = applyDecorators(
    ListField(() => dto),
    ArrayMinSize(1),
  );
  return once(`${dto.name}List`, { [plural]: field });
}

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

const classes = new Map<string, { readonly type: Type; readonly names: string }>();

/**
 * The class of this name, created once, since the document has it once.
 * @throws Error if a class with other properties has the name
 */
function once(name: string, properties: Properties): Type {
  const names = Object.keys(properties).join();
  const known = classes.get(name) ?? { type: answerClass(name, properties), names };
  if (known.names !== names) throw new Error(`${name} has ${known.names}, not ${names}`);
  classes.set(name, known);
  return known.type;
}
