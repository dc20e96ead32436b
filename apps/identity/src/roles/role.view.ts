/** Roles on the wire. Public source: Keystone API reference, "Roles". */
import type { Role } from './role.entity.js';

export function roleView(role: Role, baseUrl: string): object {
  return {
    id: role.id,
    name: role.name,
    domain_id: null,
    description: role.description,
    options: {},
    links: { self: `${baseUrl}/v3/roles/${role.id}` },
  };
}
