import type { RevocationEvent } from '@cumulet/common/auth/revocation';
import type { Revocation } from './revocation.entity.js';

/** A row as token verifiers match tokens against it. */
export function revocationEvent(row: Revocation): RevocationEvent {
  return {
    auditId: row.auditId ?? undefined,
    auditChainId: row.auditChainId ?? undefined,
    trustId: row.trustId ?? undefined,
    credentialId: row.credentialId ?? undefined,
    userId: row.userId ?? undefined,
    projectId: row.projectId ?? undefined,
    domainId: row.domainId ?? undefined,
    issuedBefore: row.issuedBefore.getTime(),
  };
}
