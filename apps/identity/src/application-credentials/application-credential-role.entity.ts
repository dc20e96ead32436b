import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Role, type RoleId } from '../roles/role.entity.js';
import {
  ApplicationCredential,
  type ApplicationCredentialId,
} from './application-credential.entity.js';

const KEY = 'application_credential_roles_pkey';

@Entity('application_credential_roles')
export class ApplicationCredentialRole {
  @PrimaryColumn('text', { name: 'application_credential_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => ApplicationCredential, {
    name: 'application_credential_roles_credential_fkey',
    onDelete: 'CASCADE',
  })
  applicationCredentialId: ApplicationCredentialId;

  @PrimaryColumn('text', { name: 'role_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => Role, {
    name: 'application_credential_roles_role_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('application_credential_roles_role_id_idx')
  roleId: RoleId;
}
