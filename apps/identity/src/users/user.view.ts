/** Users on the wire. Public source: Keystone API reference, "Users". */
import type { User } from './user.entity.js';

export function userView(user: User, baseUrl: string): object {
  return {
    id: user.id,
    name: user.name,
    domain_id: user.domainId,
    description: user.description,
    enabled: user.enabled,
    ...(user.defaultProjectId === null ? {} : { default_project_id: user.defaultProjectId }),
    password_expires_at: null,
    options: {},
    links: { self: `${baseUrl}/v3/users/${user.id}` },
  };
}
