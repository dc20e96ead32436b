import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DomainId, Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.entity.js';
import { Project } from '../projects/project.entity.js';
import { Role, type RoleId } from '../roles/role.entity.js';
import { User } from '../users/user.entity.js';

export type RoleAssignmentId = Id<'RoleAssignment'>;

/** A user's role on exactly one target: a project, a domain, or the whole system. */
@Entity('role_assignments')
@Check(
  'role_assignments_target_check',
  `num_nonnulls(project_id, domain_id) + on_system::integer = 1`,
)
@Index('role_assignments_project_key', ['userId', 'projectId', 'roleId'], {
  unique: true,
  where: 'project_id IS NOT NULL',
})
@Index('role_assignments_domain_key', ['userId', 'domainId', 'roleId'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
@Index('role_assignments_system_key', ['userId', 'roleId'], { unique: true, where: 'on_system' })
export class RoleAssignment {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'role_assignments_pkey' })
  id: RoleAssignmentId;

  @Column('text', { name: 'role_id' })
  @ForeignKey(() => Role, { name: 'role_assignments_role_id_fkey', onDelete: 'CASCADE' })
  @Index('role_assignments_role_id_idx')
  roleId: RoleId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'role_assignments_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'role_assignments_project_id_fkey', onDelete: 'CASCADE' })
  @Index('role_assignments_project_id_idx')
  projectId: ProjectId | null;

  @Column('text', { name: 'domain_id', nullable: true })
  @ForeignKey(() => Domain, { name: 'role_assignments_domain_id_fkey', onDelete: 'CASCADE' })
  @Index('role_assignments_domain_id_idx')
  domainId: DomainId | null;

  @Column('boolean', { name: 'on_system', default: false })
  onSystem: boolean;
}
