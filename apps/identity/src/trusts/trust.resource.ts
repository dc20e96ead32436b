import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from '../application-credentials/application-credential.entity.js';
import { exactText } from '../http/timestamp.js';
import { Project } from '../projects/project.resource.js';
import { Role, type RoleId } from '../roles/role.resource.js';
import { User } from '../users/user.resource.js';

export type TrustId = Id<'Trust'>;

/** The trustee may act on the project with some of the trustor's roles, for as long as both have them. */
@Entity('trusts')
@Check('trusts_remaining_uses_check', 'remaining_uses >= 0')
export class Trust {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'trusts_pkey' })
  id: TrustId;

  @Column('text', { name: 'trustor_user_id' })
  @ForeignKey(() => User, { name: 'trusts_trustor_user_id_fkey', onDelete: 'CASCADE' })
  @Index('trusts_trustor_user_id_idx')
  trustorUserId: UserId;

  @Column('text', { name: 'trustee_user_id' })
  @ForeignKey(() => User, { name: 'trusts_trustee_user_id_fkey', onDelete: 'CASCADE' })
  @Index('trusts_trustee_user_id_idx')
  trusteeUserId: UserId;

  /** Null for a trust that gives no roles, and so no scope. */
  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'trusts_project_id_fkey', onDelete: 'CASCADE' })
  @Index('trusts_project_id_idx')
  projectId: ProjectId | null;

  /** Whether services see the trustor act, rather than the trustee. */
  @Column('boolean')
  impersonation: boolean;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** `expiresAt` with its microseconds. */
  @VirtualColumn('text', { query: (table) => exactText(`${table}.expires_at`) })
  expiry: string | null;

  /** How many more tokens may be issued by it; null for any number. */
  @Column('integer', { name: 'remaining_uses', nullable: true })
  remainingUses: number | null;

  /** The trust by whose token this one was made; this one is deleted with it. */
  @Column('text', { name: 'redelegated_trust_id', nullable: true })
  @ForeignKey(() => Trust, { name: 'trusts_redelegated_trust_id_fkey', onDelete: 'CASCADE' })
  @Index('trusts_redelegated_trust_id_idx')
  redelegatedTrustId: TrustId | null;

  /** The application credential by whose token it was given to a user, with which it goes. */
  @Column('text', { name: 'application_credential_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'trusts_application_credential_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('trusts_application_credential_id_idx')
  applicationCredentialId: ApplicationCredentialId | null;

  /** How many times in a row the trustee may pass it on; 0: not at all. */
  @Column('integer', { name: 'redelegation_count', default: 0 })
  redelegationCount: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

@Entity('trust_roles')
export class TrustRole {
  @PrimaryColumn('text', { name: 'trust_id', primaryKeyConstraintName: 'trust_roles_pkey' })
  @ForeignKey(() => Trust, { name: 'trust_roles_trust_id_fkey', onDelete: 'CASCADE' })
  trustId: TrustId;

  @PrimaryColumn('text', { name: 'role_id', primaryKeyConstraintName: 'trust_roles_pkey' })
  @ForeignKey(() => Role, { name: 'trust_roles_role_id_fkey', onDelete: 'CASCADE' })
  @Index('trust_roles_role_id_idx')
  roleId: RoleId;
}
