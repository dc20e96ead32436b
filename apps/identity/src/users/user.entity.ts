import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import { Project } from '../projects/project.entity.js';
import { NamedColumns } from '../resource/resource.columns.js';
import type { UserOptions } from './user.options.js';

/** A person, a machine or a sister service that can ask for tokens. */
@Entity('users')
@Unique('users_domain_name_key', ['domainId', 'name'])
@Index('users_page_idx', ['name', 'id'])
export class User extends NamedColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'users_pkey' })
  id: UserId;

  @Column('text', { name: 'domain_id' })
  @ForeignKey(() => Domain, { name: 'users_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;

  @Column('boolean', { default: true })
  enabled: boolean;

  /** The scope of a token that is asked for without one. */
  @Column('text', { name: 'default_project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'users_default_project_id_fkey', onDelete: 'SET NULL' })
  @Index('users_default_project_id_idx')
  defaultProjectId: ProjectId | null;

  /** argon2id in PHC form; null for a user without a password. Never part of a view. */
  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash: string | null;

  /**
   * Which value of its setting the password was last set from, as a keyed digest; null for users
   * that no setting makes. Lets a start skip argon2, and keeps a later change of the password from
   * being undone by the next start.
   */
  @Column('text', { name: 'setting_digest', nullable: true, select: false })
  settingDigest: string | null;

  @Column('jsonb', { default: {} })
  options: UserOptions;

  /** When the password was last set; null without one. */
  @Column('timestamptz', { name: 'password_set_at', nullable: true })
  passwordSetAt: Date | null;

  /** Whether the user chose its password itself; only then does it have a minimum age. */
  @Column('boolean', { name: 'password_self_set', default: false })
  passwordSelfSet: boolean;

  /** From this time on the password can only be changed. */
  @Column('timestamptz', { name: 'password_expires_at', nullable: true })
  passwordExpiresAt: Date | null;
}
