/**
 * Derives the class of each answer from the attributes, and the view that renders a row. `fields`
 * may omit any attribute, so none is required.
 */
import type { Type } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { answerClass, Shown, viewOf } from '../http/shown.js';
import { propertyOf } from './attribute.js';
import { isPrivileged } from './privileges.js';
import { attributesOf, type Resource } from './resource.js';

export const PageLinkView = answerClass('PageLinkView', {
  rel: Shown(String, 'Which page it leads to.', { enum: ['next', 'previous'] }),
  href: Shown(String, 'The address of that page.'),
});

export interface ResourceViews {
  /** `{"network": {…}}` */
  readonly one: Type;
  /** The resource itself: `{"id": …}` */
  readonly item: Type;
  /** `{"networks": […], "networks_links": […]}` */
  readonly list: Type;
  /** One or a list: a request that creates several is answered with all. */
  readonly created: Type;
  /** @param fields the attributes to show; all by default */
  show(ctx: RequestContext, row: object, fields?: readonly string[]): object;
}

/** Cached by resource, since class names must be unique. */
const made = new WeakMap<Resource<object>, ResourceViews>();

export function viewsOf(resource: Resource<object>): ResourceViews {
  const views = made.get(resource) ?? newViews(resource);
  made.set(resource, views);
  return views;
}

function newViews(resource: Resource<object>): ResourceViews {
  const { singular, plural } = resource;
  const shown = attributesOf(resource).filter(([, { isHidden }]) => isHidden !== true);
  const byCaller = shown.flatMap(([wire, { forCaller: read }]) =>
    read ? [[wire, read] as const] : [],
  );
  const restricted = shown.flatMap(([name, { readers }]) => (readers ? [{ name, readers }] : []));
  const forCaller = (ctx: RequestContext, row: object): [string, unknown][] =>
    byCaller.map(([wire, read]) => [wire, read(row as never, ctx)]);
  const name = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`.replaceAll(/_\w/g, (one) =>
    one.charAt(1).toUpperCase(),
  );
  const view = answerClass(
    `${name}View`,
    Object.fromEntries(
      shown.map((attribute) => {
        const [wire, { type, about, from: read }] = attribute;
        const property = propertyOf(attribute);
        const from = read ?? ((row: Readonly<Record<string, unknown>>) => row[property]);
        const options = { optional: true, nullable: type.nullable, from };
        return [wire, Shown(type.shape, about, options)];
      }),
    ),
  );
  const all: (row: object) => Readonly<Record<string, unknown>> = viewOf(
    view as Type<Record<string, unknown>>,
    resource.writeTime,
  );
  const one = Shown(() => view, `The ${singular.replaceAll('_', ' ')}.`);
  const several = Shown([() => view], `Those of this page, or all that are new.`);
  const optional = { optional: true };
  return {
    item: view as Type,
    one: answerClass(`${name}Body`, { [singular]: one }),
    list: answerClass(`${name}List`, {
      [plural]: several,
      [`${plural}_links`]: Shown([() => PageLinkView], 'Where the list goes on.', optional),
    }),
    created: answerClass(`${name}Created`, {
      [singular]: Shown(() => view, `The new ${singular.replaceAll('_', ' ')}.`, optional),
      [plural]: Shown([() => view], 'All that are new.', optional),
    }),
    show: (ctx, row, fields = []) => {
      const isKept = (wire: string): boolean =>
        (fields.length === 0 || fields.includes(wire)) &&
        !restricted.some((attr) => attr.name === wire && !isPrivileged(ctx, attr.readers));
      const seen = { ...all(row), ...Object.fromEntries(forCaller(ctx, row)) };
      return Object.fromEntries(Object.entries(seen).filter(([wire]) => isKept(wire)));
    },
  };
}
