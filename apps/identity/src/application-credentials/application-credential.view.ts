/** Application credentials on the wire. Public source: Keystone API reference, of that name. */
import type { DetailedCredential } from './application-credential.repository.js';

export function applicationCredentialView(credential: DetailedCredential, baseUrl: string): object {
  const { id, userId, projectId, expiry, hasRules, accessRules } = credential;
  return {
    id,
    name: credential.name,
    description: credential.description,
    user_id: userId,
    project_id: projectId,
    system: null,
    roles: credential.roles.map(({ domainId, ...role }) => ({ ...role, domain_id: domainId })),
    // Keystone writes this moment, and no other, without its zone.
    expires_at: expiry?.replace('Z', '') ?? null,
    unrestricted: credential.unrestricted,
    ...(hasRules ? { access_rules: accessRules } : {}),
    links: { self: `${baseUrl}/v3/users/${userId}/application_credentials/${id}` },
  };
}

/** The only answer that has the secret. */
export function newApplicationCredentialView(
  credential: DetailedCredential,
  secret: string,
  baseUrl: string,
): object {
  return { ...applicationCredentialView(credential, baseUrl), secret };
}
