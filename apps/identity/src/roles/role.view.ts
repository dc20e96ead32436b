/** Roles on the wire. Public source: Keystone API reference, "Roles". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { collectionLinks } from '../http/collection.view.js';
import type { RoleFields } from './role.repository.js';

export function roleView(role: RoleFields, baseUrl: string): object {
  return {
    ...role.extra,
    id: role.id,
    name: role.name,
    domain_id: role.domainId,
    description: role.description === '' ? null : role.description,
    options: role.options,
    links: { self: roleUrl(role.id, baseUrl) },
  };
}

/** Roles that are granted, all of them. */
export function roleListView(roles: readonly RoleFields[], ctx: RequestContext): object {
  return {
    roles: roles.map((role) => roleView(role, ctx.baseUrl)),
    links: collectionLinks(ctx),
  };
}

export function roleUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/v3/roles/${id}`;
}
