import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { Project } from '../projects/project.entity.js';
import { User } from '../users/user.entity.js';

export type ApplicationCredentialId = Id<'ApplicationCredential'>;

/** A secret of its own by which a program acts for a user on one project, with some of its roles. */
@Entity('application_credentials')
@Unique('application_credentials_user_name_key', ['userId', 'name'])
export class ApplicationCredential {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'application_credentials_pkey' })
  id: ApplicationCredentialId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'application_credentials_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  @Column('text', { name: 'project_id' })
  @ForeignKey(() => Project, {
    name: 'application_credentials_project_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('application_credentials_project_id_idx')
  projectId: ProjectId;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** argon2id in PHC form. Never part of a view. */
  @Column('text', { name: 'secret_hash', select: false })
  secretHash: string;

  /** Whether it may manage its user's credentials and trusts. */
  @Column('boolean', { default: false })
  unrestricted: boolean;

  /** Whether it is bound to access rules; without any of them, it may do nothing. */
  @Column('boolean', { name: 'has_rules', default: false })
  hasRules: boolean;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
