import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { CredentialId } from '../credentials/credential.entity.js';

/** An access key with all that a request signed with it may do, as of a moment. */
export interface AccessKey {
  readonly access: string;
  /** In clear: version 2 and version 4 of the signature are both made from the secret itself. */
  readonly secret: string;
  readonly credentialId: CredentialId;
  readonly userId: UserId;
  readonly userDomainId: DomainId;
  readonly projectId: ProjectId;
  readonly projectDomainId: DomainId;
  /** By name. */
  readonly roles: readonly string[];
  /** Milliseconds since the epoch by the database's clock: whatever is revoked later is not yet seen. */
  readonly issuedAt: number;
  /** Until then a revocation of it is listed among the events; it must not be used for longer. */
  readonly expiresAt: number;
}
