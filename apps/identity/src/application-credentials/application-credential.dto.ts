/**
 * Application credentials and their access rules on the wire. Public source: Keystone API reference,
 * "Application Credentials".
 */
import {
  BooleanField,
  EnumField,
  ListField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { ExpiryField } from '../http/timestamp.js';
import { PageQuery, ReadOnlyField, TextFilter } from '../resource/resource.dto.js';
import { LinkedView, LinksView } from '../resource/resource.view.js';
import { RoleRefDto } from '../roles/role-ref.js';
import type { ApplicationCredential } from './application-credential.entity.js';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

/** Either the `id` of one of the user's rules, or what a rule allows. */
@IgnoresOthers()
export class AccessRuleDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({
    optional: true,
    max: 64,
    pattern: /^[a-zA-Z0-9-]+$/,
    patternText: 'must be the type of a service, of letters, digits and dashes',
    example: 'compute',
  })
  service?: string;

  @EnumField(METHODS, { optional: true })
  method?: string;

  @StringField({
    optional: true,
    max: 128,
    pattern: /^\//,
    patternText: 'must begin with a slash',
    example: '/v2.1/servers/*',
  })
  path?: string;
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

/** What a rule allows. */
export class RuleView {
  @Shown(String, 'The type of the service in the catalog.', { example: 'compute' })
  service: string;

  @Shown(String, 'The method of the request.', { enum: METHODS })
  method: string;

  @Shown(String, 'The path of the request.', { example: '/v2.1/servers/*' })
  path: string;
}

/** A rule of an application credential. */
export class CredentialRuleView extends RuleView {
  @Shown(String, 'What the rule is named by.')
  id: string;
}

export class AccessRuleView extends CredentialRuleView {
  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

/** They travel in every token of the credential. */
const MAX_ACCESS_RULES = 32;

export class CreateApplicationCredentialDto {
  @StringField({ pattern: /\S/, patternText: 'must not be blank' })
  name: string;

  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  /** Generated if none is given. */
  @StringField({ optional: true, nullable: true, min: 0, max: 4096 })
  secret?: string | null;

  @ExpiryField()
  expires_at?: string | null;

  /** Those of the token if none are given. */
  @ListField(() => RoleRefDto, { optional: true, nullable: true })
  roles?: RoleRefDto[] | null;

  @BooleanField({ optional: true, nullable: true })
  unrestricted?: boolean | null;

  @ListField(() => AccessRuleDto, { optional: true, nullable: true, maxItems: MAX_ACCESS_RULES })
  access_rules?: AccessRuleDto[] | null;

  @ReadOnlyField()
  id?: unknown;

  /** Always that of the token. */
  @ReadOnlyField()
  project_id?: unknown;

  @ReadOnlyField()
  system?: unknown;
}

export class CreateApplicationCredentialBody {
  @ObjectField(() => CreateApplicationCredentialDto)
  application_credential: CreateApplicationCredentialDto;
}

class CredentialRoleView {
  @Shown(String, 'Id of the role.')
  id: string;

  @Shown(String, 'Name of the role.')
  name: string;

  @Shown(String, 'The domain that owns it; null for a role of all domains.', { nullable: true })
  domain_id: string | null;

  @Shown(String, 'What it is, for people.')
  description: string;

  @Shown(Object, 'Its options.')
  options: object;
}

export class ApplicationCredentialView extends LinkedView {
  @Shown(String, 'Unique among those of its user.')
  name: string;

  @Shown(String, 'What it is, for people.', { nullable: true })
  description: string | null;

  @Shown(String, 'The user that it acts for.')
  user_id: string;

  @Shown(String, 'The project that it is good for.')
  project_id: string;

  @Shown(String, 'Null: none is for the system.', { nullable: true, from: () => null })
  system: null;

  @Shown<ApplicationCredential>([() => CredentialRoleView], 'What it may do, by name.', {
    from: ({ roles }) => roles.map(({ domainId, ...role }) => ({ ...role, domain_id: domainId })),
  })
  roles: CredentialRoleView[];

  @Shown<ApplicationCredential>(String, 'Until when it is good; null for ever.', {
    nullable: true,
    // Keystone writes this time, and no other, without its zone.
    from: ({ expiry }) => expiry?.replace('Z', '') ?? null,
  })
  expires_at: string | null;

  @Shown(Boolean, 'Whether it may manage its user’s credentials and trusts.')
  unrestricted: boolean;

  @Shown<ApplicationCredential>([() => CredentialRuleView], 'The requests that it is limited to.', {
    optional: true,
    from: ({ hasRules, accessRules }) => (hasRules ? accessRules : undefined),
  })
  access_rules?: CredentialRuleView[];
}

/** The only answer that has the secret. */
export class NewApplicationCredentialView extends ApplicationCredentialView {
  @Shown(String, 'What programs authenticate with; it is never shown again.')
  secret: string;
}
