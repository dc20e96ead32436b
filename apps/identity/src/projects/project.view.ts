/** Projects on the wire. Public source: Keystone API reference, "Projects". */
import type { Branch, ProjectTree } from './project-tree.js';
import type { ShownProject } from './shown-project.js';

export function projectView(project: ShownProject, baseUrl: string): object {
  return {
    ...project.extra,
    id: project.id,
    name: project.name,
    domain_id: project.domainId,
    parent_id: project.parentId ?? project.domainId,
    description: project.description,
    enabled: project.enabled,
    is_domain: project.domainId === null,
    tags: project.tags,
    options: project.options,
    links: { self: `${baseUrl}/v3/projects/${project.id}` },
  };
}

/** A project with those above and below it that were asked for. */
export function projectTreeView(
  project: ShownProject,
  { parents, subtree }: ProjectTree,
  baseUrl: string,
): object {
  return {
    ...projectView(project, baseUrl),
    ...(parents && { parents: branchView(parents, baseUrl) }),
    ...(subtree && { subtree: branchView(subtree, baseUrl) }),
  };
}

function branchView(branch: Branch, baseUrl: string): object | null {
  if ('ids' in branch) return branch.ids;
  return branch.list.map((project) => ({ project: projectView(project, baseUrl) }));
}
