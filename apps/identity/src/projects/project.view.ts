/** Projects on the wire. Public source: Keystone API reference, "Projects". */
import type { Project } from './project.entity.js';

export function projectView(project: Project, baseUrl: string): object {
  return {
    id: project.id,
    name: project.name,
    domain_id: project.domainId,
    parent_id: project.parentId ?? project.domainId,
    description: project.description,
    enabled: project.enabled,
    is_domain: false,
    tags: [],
    options: {},
    links: { self: `${baseUrl}/v3/projects/${project.id}` },
  };
}
