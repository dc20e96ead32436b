/** What secrets and containers have in common: whose they are, and who else may read them. */
import type { ProjectId, UserId } from '@cumulet/common/context/ids';
import { Column } from 'typeorm';

export abstract class OwnedColumns {
  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  /** The user who made it. */
  @Column('text', { name: 'creator_id' })
  creatorId: UserId;

  @Column('text', { nullable: true })
  name: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;

  /** Whether its project's members may read it, or but its creator and administrators. */
  @Column('boolean', { name: 'project_access', default: true })
  projectAccess: boolean;

  /** The users, of any project, who may read it. */
  @Column('text', { name: 'acl_users', array: true, default: () => "'{}'" })
  aclUsers: string[];

  /** Null while nobody has given it an ACL. */
  @Column({ type: 'timestamptz', name: 'acl_created_at', precision: 3, nullable: true })
  aclCreatedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'acl_updated_at', precision: 3, nullable: true })
  aclUpdatedAt: Date | null;
}
