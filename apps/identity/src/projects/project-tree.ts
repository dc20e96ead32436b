/** The projects above and below one, in the two forms that clients ask for. Pure. */
import type { ShownProject } from './shown-project.js';

/** Ids within ids; null where there is no further one. */
export interface NestedIds {
  readonly [id: string]: NestedIds | null;
}

export type Branch =
  { readonly list: readonly ShownProject[] } | { readonly ids: NestedIds | null };

/** What was asked for of both sides. */
export interface ProjectTree {
  readonly parents?: Branch;
  readonly subtree?: Branch;
}

/** From the parent up to the domain. */
export function parentIds({ domainId, ancestorIds }: ShownProject): NestedIds | null {
  const fromTheTop = domainId === null ? [] : [domainId, ...ancestorIds];
  return fromTheTop.reduce<NestedIds | null>((above, id) => ({ [id]: above }), null);
}

/** @param below all projects below the one with the id */
export function subtreeIds(id: string, below: readonly ShownProject[]): NestedIds | null {
  const children = new Map<string, string[]>();
  for (const one of below) {
    const parentId = one.parentId ?? one.domainId ?? '';
    children.set(parentId, [...(children.get(parentId) ?? []), one.id]);
  }
  const nest = (parentId: string): NestedIds | null => {
    const ids = children.get(parentId);
    return ids ? Object.fromEntries(ids.map((child) => [child, nest(child)])) : null;
  };
  return nest(id);
}
