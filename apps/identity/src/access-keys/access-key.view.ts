/** Access keys as sister services read them: an interface of this platform alone. */
import { timestamp } from '../http/timestamp.js';
import type { AccessKey } from './access-key.js';

export function accessKeyView(key: AccessKey): object {
  return {
    access: key.access,
    secret: key.secret,
    credential_id: key.credentialId,
    user_id: key.userId,
    user_domain_id: key.userDomainId,
    project_id: key.projectId,
    project_domain_id: key.projectDomainId,
    roles: key.roles,
    issued_at: timestamp(key.issuedAt),
    expires_at: timestamp(key.expiresAt),
  };
}
