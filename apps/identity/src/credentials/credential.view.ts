/** Credentials on the wire. Public source: Keystone API reference, "Credentials". */
import type { OpenCredential } from './credential.repository.js';

export function credentialView(credential: OpenCredential, baseUrl: string): object {
  const { id, userId, projectId, type, blob, extra } = credential;
  return {
    ...extra,
    id,
    user_id: userId,
    project_id: projectId,
    type,
    blob,
    links: { self: `${baseUrl}/v3/credentials/${id}` },
  };
}
