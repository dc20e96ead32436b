import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DomainId, Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { Domain } from '../domains/domain.resource.js';
import { Group, type GroupId } from '../groups/group.resource.js';
import { Project } from '../projects/project.resource.js';
import { Role, type RoleId } from './role.resource.js';
import { User } from '../users/user.resource.js';

export type RoleAssignmentId = Id<'RoleAssignment'>;

/** The role of exactly one actor (a user, a group) on one target (a project, a domain, the system). */
@Entity('role_assignments')
@Check('role_assignments_actor_check', 'num_nonnulls(user_id, group_id) = 1')
@Check(
  'role_assignments_target_check',
  `num_nonnulls(project_id, domain_id) + on_system::integer = 1`,
)
@Check('role_assignments_as_project_check', 'domain_id IS NOT NULL OR NOT as_project')
@Check('role_assignments_inherited_check', 'NOT (inherited AND on_system)')
@Index('role_assignments_user_project_key', ['userId', 'projectId', 'roleId', 'inherited'], {
  unique: true,
  where: 'user_id IS NOT NULL AND project_id IS NOT NULL',
})
@Index(
  'role_assignments_user_domain_key',
  ['userId', 'domainId', 'roleId', 'inherited', 'asProject'],
  {
    unique: true,
    where: 'user_id IS NOT NULL AND domain_id IS NOT NULL',
  },
)
@Index('role_assignments_user_system_key', ['userId', 'roleId'], {
  unique: true,
  where: 'user_id IS NOT NULL AND on_system',
})
@Index('role_assignments_group_project_key', ['groupId', 'projectId', 'roleId', 'inherited'], {
  unique: true,
  where: 'group_id IS NOT NULL AND project_id IS NOT NULL',
})
@Index(
  'role_assignments_group_domain_key',
  ['groupId', 'domainId', 'roleId', 'inherited', 'asProject'],
  {
    unique: true,
    where: 'group_id IS NOT NULL AND domain_id IS NOT NULL',
  },
)
@Index('role_assignments_group_system_key', ['groupId', 'roleId'], {
  unique: true,
  where: 'group_id IS NOT NULL AND on_system',
})
export class RoleAssignment {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'role_assignments_pkey' })
  id: RoleAssignmentId;

  /** An assigned role cannot be deleted. */
  @Column('text', { name: 'role_id' })
  @ForeignKey(() => Role, { name: 'role_assignments_role_id_fkey' })
  @Index('role_assignments_role_id_idx')
  roleId: RoleId;

  @Column('text', { name: 'user_id', nullable: true })
  @ForeignKey(() => User, { name: 'role_assignments_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId | null;

  @Column('text', { name: 'group_id', nullable: true })
  @ForeignKey(() => Group, { name: 'role_assignments_group_id_fkey', onDelete: 'CASCADE' })
  groupId: GroupId | null;

  @Column('text', { name: 'project_id', nullable: true })
  @ForeignKey(() => Project, { name: 'role_assignments_project_id_fkey', onDelete: 'CASCADE' })
  @Index('role_assignments_project_id_idx')
  projectId: ProjectId | null;

  @Column('text', { name: 'domain_id', nullable: true })
  @ForeignKey(() => Domain, { name: 'role_assignments_domain_id_fkey', onDelete: 'CASCADE' })
  @Index('role_assignments_domain_id_idx')
  domainId: DomainId | null;

  /**
   * Whether the target is the domain as a project. No token is scoped to such a project, so that the
   * role counts only where it is inherited.
   */
  @Column('boolean', { name: 'as_project', default: false })
  asProject: boolean;

  @Column('boolean', { name: 'on_system', default: false })
  onSystem: boolean;

  /** Whether it holds on the projects below the target, rather than on the target. */
  @Column('boolean', { default: false })
  inherited: boolean;
}
