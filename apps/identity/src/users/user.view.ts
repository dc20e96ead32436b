/** Users on the wire. Public source: Keystone API reference, "Users". */
import { zonelessTimestamp } from '../http/timestamp.js';
import type { User } from './user.entity.js';

export function userView(user: User, baseUrl: string): object {
  return {
    ...user.extra,
    id: user.id,
    name: user.name,
    domain_id: user.domainId,
    description: user.description,
    enabled: user.enabled,
    ...(user.defaultProjectId === null ? {} : { default_project_id: user.defaultProjectId }),
    password_expires_at: user.passwordExpiresAt && zonelessTimestamp(user.passwordExpiresAt),
    options: user.options,
    links: { self: `${baseUrl}/v3/users/${user.id}` },
  };
}
