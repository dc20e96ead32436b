import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';

export type RoleId = Id<'Role'>;

/** What a user may do, by name; services know the names, assignments the ids. */
@Entity('roles')
@Unique('roles_name_key', ['name'])
export class Role {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'roles_pkey' })
  id: RoleId;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
