/**
 * Application credentials and the access rules that limit them. Public source: Keystone API
 * reference, "Application Credentials".
 */
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import type { AccessRule as Rule } from '@cumulet/common/context/access-rules';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import { ListField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { attribute, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, pick, rowOf } from '@cumulet/common/resources/classes';
import { choice, flag, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { exactText, ExpiryField } from '../http/timestamp.js';
import { Project } from '../projects/project.resource.js';
import { CreatedColumns, idOf, resettable } from '../resource/resource.attributes.js';
import {
  bareDtoOf,
  changeOf,
  PageQuery,
  ReadOnlyField,
  TextFilter,
} from '../resource/resource.dto.js';
import { linkedViewOf } from '../resource/resource.view.js';
import { RoleRefDto } from '../roles/role-ref.js';
import { Role, type RoleId } from '../roles/role.resource.js';
import { User } from '../users/user.resource.js';

export type AccessRuleId = Id<'AccessRule'>;

export const ACCESS_RULE = {
  id: idOf<AccessRuleId>('access_rules'),
  service: attribute(
    text({
      max: 64,
      pattern: /^[a-zA-Z0-9-]+$/,
      patternText: 'must be the type of a service, of letters, digits and dashes',
    }),
    { about: 'The type of the service in the catalog.', example: 'compute', required: true },
  ),
  method: attribute(choice(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']), {
    about: 'The method of the request.',
    required: true,
  }),
  /** `/v2.1/servers/{server_id}`, `/v2.1/servers/*`, `/v2.1/**` */
  path: attribute(text({ max: 128, pattern: /^\//, patternText: 'must begin with a slash' }), {
    about: 'The path of the request.',
    example: '/v2.1/servers/*',
    required: true,
  }),
} as const;

@Entity('access_rules')
@Unique('access_rules_user_rule_key', ['userId', 'service', 'method', 'path'])
export class AccessRule extends rowOf(ACCESS_RULE) {
  @Column('text', { name: 'user_id' })
  @ForeignKey(() => User, { name: 'access_rules_user_id_fkey', onDelete: 'CASCADE' })
  userId: UserId;
}

/** Either the `id` of one of the user's rules, or the request that a rule allows. */
@IgnoresOthers()
export class AccessRuleDto extends changeOf(bareDtoOf(ACCESS_RULE)) {
  @StringField({ optional: true, max: 64 })
  id?: string;
}

@SortedBy(['service', 'path', 'method'])
export class ListAccessRulesQuery extends PageQuery {
  @TextFilter()
  service?: string;

  @TextFilter()
  method?: string;

  @TextFilter()
  path?: string;
}

/** A rule without its ID, as tokens carry it. */
export class RuleView extends answerOf(pick(ACCESS_RULE, ['service', 'method', 'path'])) {}

class CredentialRuleView extends answerOf(ACCESS_RULE) {}

export class AccessRuleView extends linkedViewOf(ACCESS_RULE) {}

export type ApplicationCredentialId = Id<'ApplicationCredential'>;

export const APPLICATION_CREDENTIAL = {
  id: idOf<ApplicationCredentialId>('application_credentials'),
  userId: shownOnly(text<UserId>(), { about: 'The ID of the user for whom it acts.' }),
  projectId: shownOnly(text<ProjectId>(), {
    about: 'The ID of the project on which it acts: that of the token that made it.',
  }),
  name: attribute(text({ pattern: /\S/, patternText: 'must not be blank' }), {
    about: 'The name, unique among the application credentials of its user.',
    required: true,
  }),
  description: attribute(orNull(text({ min: 0, max: 65_535 })), { about: 'A description.' }),
  secret: givenOnly(orNull(text({ min: 0, max: 4096 })), {
    about: 'The secret that programs authenticate with; by default, a random one.',
  }),
  unrestricted: attribute(resettable(flag()), {
    about: "Whether it may manage its user's credentials and trusts.",
    default: false,
  }),
} as const;

/** A secret by which a program acts for a user on one project, with some of the user's roles. */
@Entity('application_credentials')
@Unique('application_credentials_user_name_key', ['userId', 'name'])
@Index('application_credentials_project_id_idx', ['projectId'])
@ForeignKey(() => User, ['userId'], ['id'], {
  name: 'application_credentials_user_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Project, ['projectId'], ['id'], {
  name: 'application_credentials_project_id_fkey',
  onDelete: 'CASCADE',
})
export class ApplicationCredential extends rowOf(APPLICATION_CREDENTIAL, CreatedColumns) {
  /** argon2id in PHC form. Never part of a view. */
  @Column('text', { name: 'secret_hash', select: false })
  secretHash: string;

  /** Whether access rules limit it; if so and none is left, it may do nothing. */
  @Column('boolean', { name: 'has_rules', default: false })
  hasRules: boolean;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** The application credential whose token created it and with which it ends. */
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

export function rulesOf(fields: string): string {
  return `COALESCE((
    SELECT json_agg(json_build_object(${fields}) ORDER BY service, path, method)
      FROM application_credential_access_rules JOIN access_rules ON access_rules.id = access_rule_id
     WHERE application_credential_id = application_credentials.id), '[]')`;
}

const ROLES_KEY = 'application_credential_roles_pkey';
const RULES_KEY = 'application_credential_access_rules_pkey';

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

/** Every token of the credential contains them. */
const MAX_ACCESS_RULES = 32;

export class CreateApplicationCredentialDto extends bareDtoOf(APPLICATION_CREDENTIAL) {
  @ExpiryField()
  expires_at?: string | null;

  /** By default, those of the token. */
  @ListField(() => RoleRefDto, { optional: true, nullable: true })
  roles?: RoleRefDto[] | null;

  @ListField(() => AccessRuleDto, { optional: true, nullable: true, maxItems: MAX_ACCESS_RULES })
  access_rules?: AccessRuleDto[] | null;

  @ReadOnlyField()
  id?: unknown;

  @ReadOnlyField()
  project_id?: unknown;

  @ReadOnlyField()
  system?: unknown;
}

export class CreateApplicationCredentialBody {
  @ObjectField(() => CreateApplicationCredentialDto)
  application_credential: CreateApplicationCredentialDto;
}

const CredentialRoleView = answerClass('CredentialRoleView', {
  id: Shown(String, 'The ID.'),
  name: Shown(String, 'The name.'),
  domain_id: Shown(String, 'The ID of the domain that owns it; null for a role of all domains.', {
    nullable: true,
  }),
  description: Shown(String, 'A description.'),
  options: Shown(Object, 'The options.'),
});

export class ApplicationCredentialView extends linkedViewOf(APPLICATION_CREDENTIAL, {
  system: Shown(String, 'Always null: no application credential is for the system.', {
    nullable: true,
    from: () => null,
  }),
  roles: Shown<ApplicationCredential>([() => CredentialRoleView], 'Its roles, by name.', {
    from: ({ roles }) => roles.map(({ domainId, ...role }) => ({ ...role, domain_id: domainId })),
  }),
  expires_at: Shown<ApplicationCredential>(String, 'When it expires; null for never.', {
    nullable: true,
    // Keystone writes this time, and no other, without its zone.
    from: ({ expiry }) => expiry?.replace('Z', '') ?? null,
  }),
  access_rules: Shown<ApplicationCredential>(
    [() => CredentialRuleView],
    'The requests that it is limited to.',
    { optional: true, from: ({ hasRules, accessRules }) => (hasRules ? accessRules : undefined) },
  ),
}) {}

export class NewApplicationCredentialView extends ApplicationCredentialView {
  @Shown(String, 'The secret that programs authenticate with; it is never shown again.')
  secret: string;
}
