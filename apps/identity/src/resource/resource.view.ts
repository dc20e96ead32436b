/** How Keystone shows resources: alone under their kind, and in lists under its plural. */
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

type Properties = Readonly<Record<string, PropertyDecorator>>;

/** The same of a resource's attributes. @param besides what else it has, or shows differently */
export function linkedViewOf(
  attributes: AnyAttributes,
  besides: Properties = {},
): Type<LinkedView> {
  const links = Shown(() => LinksView, 'Where it is found.');
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
  const about = `The ${kind.replaceAll('_', ' ')}.`;
  return once(`${view.name}Body`, { [kind]: Shown(() => view, about) });
}

/** The class of `{"regions": […], "links": {…}}`. */
export function listedUnder(plural: string, view: Type): Type {
  const about = `The ${plural.replaceAll('_', ' ')} of this page.`;
  const more = 'Whether there are more of them than the page shows.';
  return once(`${view.name}List`, {
    [plural]: Shown([() => view], about),
    links: Shown(() => ListLinksView, 'Where the list goes on.'),
    truncated: Shown(Boolean, more, { optional: true }),
  });
}

/** The class of `{"limits": […]}`, of several that are new. */
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

const classes = new Map<string, { readonly type: Type; readonly names: string }>();

/**
 * The class of this name, which stands once in the document; made where it is asked for first.
 * @throws Error where the name is taken by a class of other properties
 */
function once(name: string, properties: Properties): Type {
  const names = Object.keys(properties).join();
  const known = classes.get(name) ?? { type: answerClass(name, properties), names };
  if (known.names !== names) throw new Error(`${name} has ${known.names}, not ${names}`);
  classes.set(name, known);
  return known.type;
}
