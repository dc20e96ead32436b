import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from '../application-credentials/application-credential.entity.js';
import { Project } from '../projects/project.resource.js';
import { ResourceColumns } from '../resource/resource.columns.js';
import { Trust, type TrustId } from '../trusts/trust.entity.js';
import { User } from '../users/user.resource.js';

export type CredentialId = Id<'Credential'>;

/**
 * A secret that identifies a user to services of other kinds: an EC2 access key, or anything else.
 */
@Entity('credentials')
@Index('credentials_user_id_idx', ['userId', 'type'])
@Index('credentials_page_idx', ['createdAt', 'id'])
@Index('credentials_unknown_maker_idx', ['createdAt', 'id'], {
  where: `type = 'ec2' AND NOT is_maker_known`,
})
@Check('credentials_binding_check', 'trust_id IS NULL OR application_credential_id IS NULL')
export class Credential extends ResourceColumns {
  /** For an access key, the SHA-256 of the key in hexadecimal, so that the key finds it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'credentials_pkey' })
  id: CredentialId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'credentials_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'credentials_project_id_fkey', onDelete: 'CASCADE' })
  @Index('credentials_project_id_idx')
  projectId: ProjectId | null;

  /** `ec2`, or whatever its client calls it. */
  @Column('text')
  type: string;

  /** Of an access key that was made by a token of a trust: it acts within that, and goes with it. */
  @Column('text', { name: 'trust_id', nullable: true })
  @ForeignKey(() => Trust, { name: 'credentials_trust_id_fkey', onDelete: 'CASCADE' })
  @Index('credentials_trust_id_idx')
  trustId: TrustId | null;

  /**
   * Of what a token of an application credential has made: an access key acts within that, and each
   * goes with it.
   */
  @Column('text', { name: 'application_credential_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'credentials_application_credential_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('credentials_application_credential_id_idx')
  applicationCredentialId: ApplicationCredentialId | null;

  /**
   * False for one from before there was `applicationCredentialId`: an application credential may have
   * made it, and it is not bound to that.
   */
  @Column('boolean', { name: 'is_maker_known', default: false })
  isMakerKnown: boolean;

  /** What the client gave as `blob`, encrypted under the configured key. */
  @Column('text', { name: 'sealed_blob' })
  sealedBlob: string;
}

/** A credential with its secret in clear. It lives as long as a request, and is never logged. */
export interface OpenCredential extends Omit<
  Credential,
  'sealedBlob' | 'createdAt' | 'isMakerKnown'
> {
  readonly blob: string;
}

/** The delegation within which a credential acts, and with which it ends; of one at most. */
export type Binding = Pick<Credential, 'trustId' | 'applicationCredentialId'>;
