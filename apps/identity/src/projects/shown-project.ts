/**
 * Domains as projects: Keystone shows every domain also as the project at the root of its tree.
 * Public source: Keystone API reference, "Projects", `is_domain`.
 */
import { asId, type DomainId } from '@cumulet/common/context/ids';
import type { Domain } from '../domains/domain.entity.js';
import type { ProjectFields } from './project.repository.js';

/** A project, or a domain in the shape of one: that has no domain of its own. */
export type ShownProject = Omit<ProjectFields, 'domainId'> & { readonly domainId: DomainId | null };

export function domainAsProject(domain: Domain): ShownProject {
  const { name, description, enabled, tags, options } = domain;
  return {
    id: asId(domain.id),
    domainId: null,
    parentId: null,
    ancestorIds: [],
    name,
    description,
    enabled,
    tags,
    options,
    extra: {},
  };
}
