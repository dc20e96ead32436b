import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Role, type RoleId } from '../roles/role.entity.js';
import { Trust, type TrustId } from './trust.entity.js';

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
