import { Check, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Role, type RoleId } from '../roles/role.resource.js';

/** Whoever has the prior role has the implied one too. */
@Entity('role_inferences')
@Check('role_inferences_self_check', 'prior_role_id <> implied_role_id')
export class RoleInference {
  @PrimaryColumn('text', {
    name: 'prior_role_id',
    primaryKeyConstraintName: 'role_inferences_pkey',
  })
  @ForeignKey(() => Role, { name: 'role_inferences_prior_role_id_fkey', onDelete: 'CASCADE' })
  priorRoleId: RoleId;

  @PrimaryColumn('text', {
    name: 'implied_role_id',
    primaryKeyConstraintName: 'role_inferences_pkey',
  })
  @ForeignKey(() => Role, { name: 'role_inferences_implied_role_id_fkey', onDelete: 'CASCADE' })
  @Index('role_inferences_implied_role_id_idx')
  impliedRoleId: RoleId;
}
