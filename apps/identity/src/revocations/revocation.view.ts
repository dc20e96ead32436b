/** Revocation events on the wire. Public source: Keystone API reference, "OS-REVOKE API". */
import { timestamp } from '../http/timestamp.js';
import type { Revocation } from './revocation.entity.js';

/** Fields that are absent match every token. */
export function revocationView(row: Revocation): object {
  return {
    ...(row.auditId === null ? {} : { audit_id: row.auditId }),
    ...(row.auditChainId === null ? {} : { audit_chain_id: row.auditChainId }),
    ...(row.trustId === null ? {} : { 'OS-TRUST:trust_id': row.trustId }),
    // Ours: Keystone has no events about application credentials and access keys.
    ...(row.credentialId === null ? {} : { credential_id: row.credentialId }),
    ...(row.userId === null ? {} : { user_id: row.userId }),
    ...(row.projectId === null ? {} : { project_id: row.projectId }),
    ...(row.domainId === null ? {} : { domain_id: row.domainId }),
    issued_before: timestamp(row.issuedBefore.getTime()),
    revoked_at: timestamp(row.revokedAt.getTime()),
  };
}
