import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import type { AccessRule as Rule } from '@cumulet/common/context/access-rules';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { exactText } from '../http/timestamp.js';
import { Project } from '../projects/project.resource.js';
import { Role, type RoleId } from '../roles/role.resource.js';
import { User } from '../users/user.resource.js';

export type AccessRuleId = Id<'AccessRule'>;

/** A request that application credentials of a user may be limited to. */
@Entity('access_rules')
@Unique('access_rules_user_rule_key', ['userId', 'service', 'method', 'path'])
export class AccessRule {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'access_rules_pkey' })
  id: AccessRuleId;

  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'access_rules_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;

  /** The type of the service in the catalog: `compute`. */
  @Column('text')
  service: string;

  @Column('text')
  method: string;

  /** `/v2.1/servers/{server_id}`, `/v2.1/servers/*`, `/v2.1/**` */
  @Column('text')
  path: string;
}

const ROLES_KEY = 'application_credential_roles_pkey';
const RULES_KEY = 'application_credential_access_rules_pkey';

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

  /** Whether it is bound to access rules; if it is and has none, it may do nothing. */
  @Column('boolean', { name: 'has_rules', default: false })
  hasRules: boolean;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** The one by whose token this one was made, with which it goes. */
  @Column('text', { name: 'parent_id', nullable: true })
  @ForeignKey(() => ApplicationCredential, {
    name: 'application_credentials_parent_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('application_credentials_parent_id_idx')
  parentId: ApplicationCredentialId | null;

  /** `expiresAt` with its microseconds. */
  @VirtualColumn('text', { query: (table) => exactText(`${table}.expires_at`) })
  expiry: string | null;

  @VirtualColumn('json', {
    query: () =>
      rolesOf(`'id', roles.id, 'name', roles.name, 'domainId', roles.domain_id,
               'description', roles.description, 'options', roles.options`),
  })
  roles: readonly Pick<Role, 'id' | 'name' | 'domainId' | 'description' | 'options'>[];

  @VirtualColumn('json', { query: () => rulesOf(`'id', access_rules.id, ${RULE}`) })
  accessRules: readonly (Rule & { readonly id: AccessRuleId })[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** The fields of a rule, for `rulesOf`. */
export const RULE = `'service', service, 'method', method, 'path', path`;

/** SQL: a list of a credential's roles, by name, whether or not the user still has them. */
export function rolesOf(fields: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object(${fields}) ORDER BY roles.name)
      FROM application_credential_roles JOIN roles ON roles.id = role_id
     WHERE application_credential_id = application_credentials.id), '[]')`;
}

/** SQL: a list of a credential's access rules. */
export function rulesOf(fields: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object(${fields}) ORDER BY service, path, method)
      FROM application_credential_access_rules JOIN access_rules ON access_rules.id = access_rule_id
     WHERE application_credential_id = application_credentials.id), '[]')`;
}

@Entity('application_credential_roles')
export class ApplicationCredentialRole {
  @PrimaryColumn('text', { name: 'application_credential_id', primaryKeyConstraintName: ROLES_KEY })
  @ForeignKey(() => ApplicationCredential, {
    name: 'application_credential_roles_credential_fkey',
    onDelete: 'CASCADE',
  })
  applicationCredentialId: ApplicationCredentialId;

  @PrimaryColumn('text', { name: 'role_id', primaryKeyConstraintName: ROLES_KEY })
  @ForeignKey(() => Role, {
    name: 'application_credential_roles_role_id_fkey',
    onDelete: 'CASCADE',
  })
  @Index('application_credential_roles_role_id_idx')
  roleId: RoleId;
}

@Entity('application_credential_access_rules')
export class ApplicationCredentialAccessRule {
  @PrimaryColumn('text', { name: 'application_credential_id', primaryKeyConstraintName: RULES_KEY })
  @ForeignKey(() => ApplicationCredential, {
    name: 'application_credential_access_rules_credential_fkey',
    onDelete: 'CASCADE',
  })
  applicationCredentialId: ApplicationCredentialId;

  /** A rule that a credential has cannot be removed. */
  @PrimaryColumn('text', { name: 'access_rule_id', primaryKeyConstraintName: RULES_KEY })
  @ForeignKey(() => AccessRule, { name: 'application_credential_access_rules_rule_fkey' })
  @Index('application_credential_access_rules_rule_idx')
  accessRuleId: AccessRuleId;
}
