/** Limits on the wire. Public source: Keystone API reference, "Unified Limits". */
import type { LimitFields } from './limit.repository.js';

export function limitView(limit: LimitFields, baseUrl: string): object {
  return {
    id: limit.id,
    project_id: limit.projectId,
    domain_id: limit.domainId,
    service_id: limit.serviceId,
    region_id: limit.regionId,
    resource_name: limit.resourceName,
    resource_limit: limit.resourceLimit,
    description: limit.description,
    links: { self: `${baseUrl}/v3/limits/${limit.id}` },
  };
}

/** How limits of a project relate to those of the projects above it: not at all. */
export const MODEL = {
  name: 'flat',
  description: 'The limits of a project say nothing of the projects above and below it.',
};
