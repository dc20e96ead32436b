/** Public source: Keystone API reference, "Projects". */
import { asId, type DomainId } from '@cumulet/common/context/ids';
import { Shown } from '@cumulet/common/http/shown';
import type { Domain } from '../domains/domain.resource.js';
import { resourceView, resourceViewOf, shownUnder } from '../resource/resource.view.js';
import { type Limit, LimitView } from '../limits/limit.resource.js';
import { PROJECT, type Project } from './project.resource.js';

/** A project, or a domain as a project, which has no domain. */
export type ShownProject = Omit<Project, 'domainId'> & { readonly domainId: DomainId | null };

/** Keystone shows every domain also as the project at the root of its tree. */
export function domainAsProject(domain: Readonly<Domain>): ShownProject {
  return {
    ...domain,
    id: asId(domain.id),
    domainId: null,
    parentId: null,
    ancestorIds: [],
    extra: {},
  };
}

export class ProjectView extends resourceViewOf(PROJECT, {
  domain_id: Shown(String, PROJECT.domainId.about, { nullable: true }),
  is_domain: Shown<ShownProject>(Boolean, PROJECT.isDomain.about, {
    from: ({ domainId }) => domainId === null,
  }),
}) {}

export const projectView = resourceView<ShownProject>(ProjectView, 'projects');

export type ListedProject = ShownProject & { readonly limits?: readonly Limit[] };

class ListedProjectView extends ProjectView {
  @Shown([() => LimitView], 'Its limits, with `include_limits`.', { optional: true })
  limits?: LimitView[];
}

const limitView = resourceView<Limit>(LimitView, 'limits');

const AboveOrBelow = [() => shownUnder('project', ListedProjectView)] as const;

export class ProjectTreeView extends ProjectView {
  @Shown(AboveOrBelow, 'The projects above it that the caller has a role on, the nearest first.')
  @Shown(Object, 'The IDs of all projects above it, nested, the nearest outermost.', {
    nullable: true,
  })
  parents?: unknown;

  @Shown(AboveOrBelow, 'The projects below it that the caller has a role on, the nearest first.')
  @Shown(Object, 'The IDs of all projects below it, nested, the nearest outermost.', {
    nullable: true,
  })
  subtree?: unknown;
}

/** Null at the end. */
export interface NestedIds {
  readonly [id: string]: NestedIds | null;
}

type Branch = readonly ListedProject[] | NestedIds | null;

export interface ProjectTree {
  readonly parents?: Branch;
  readonly subtree?: Branch;
}

export function projectTreeView(project: ShownProject, tree: ProjectTree, baseUrl: string): object {
  const view = ({ limits, ...one }: ListedProject): object => ({
    project: {
      ...projectView(one, baseUrl),
      ...(limits && { limits: limits.map((limit) => limitView(limit, baseUrl)) }),
    },
  });
  const sides = Object.entries(tree).map(([side, branch]: [string, Branch]) => [
    side,
    branch instanceof Array ? branch.map(view) : branch,
  ]);
  return { ...projectView(project, baseUrl), ...(Object.fromEntries(sides) as object) };
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
