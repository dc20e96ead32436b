import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DomainId, Id, ProjectId, UserId } from '@cumulet/common/context/ids';

export type RevocationId = Id<'Revocation'>;

/**
 * Revokes every token that all of its fields match and that was issued at or before `issuedBefore`.
 * Ids are not foreign keys: an event outlives what it refers to.
 */
@Entity('revocations')
export class Revocation {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'revocations_pkey' })
  id: RevocationId;

  @Column('text', { name: 'audit_id', nullable: true })
  auditId: string | null;

  @Column('text', { name: 'audit_chain_id', nullable: true })
  auditChainId: string | null;

  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** An application credential, or an access key. */
  @Column('text', { name: 'credential_id', nullable: true })
  credentialId: string | null;

  @Column('text', { name: 'user_id', nullable: true })
  userId: UserId | null;

  @Column('text', { name: 'project_id', nullable: true })
  projectId: ProjectId | null;

  @Column('text', { name: 'domain_id', nullable: true })
  domainId: DomainId | null;

  @Column('timestamptz', { name: 'issued_before' })
  issuedBefore: Date;

  @Column('timestamptz', { name: 'revoked_at' })
  revokedAt: Date;

  /** When the last token that it can match has expired, and the event is no longer needed. */
  @Column('timestamptz', { name: 'expires_at' })
  @Index('revocations_expires_at_idx')
  expiresAt: Date;
}
