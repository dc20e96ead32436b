/** Bodies and queries. Public source: Keystone API reference, "Users". */
import {
  BooleanField,
  CheckedField,
  ObjectField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { inexactFilters, InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';
import { LONGEST_PASSWORD } from '../passwords/password.dto.js';
import { PasswordExpiryField, readExpiryFilters } from './password-expiry-filter.js';
import type { UserFilter } from './user.repository.js';

const NAME = { pattern: /\S/, patternText: 'must hold more than white space' } as const;
const ID = { optional: true, max: 64 } as const;
const MAX_MFA_RULES = 32;

/** Which users of a list. */
@InexactFilters('name', 'domain_id')
export class UserFilterQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField(ID)
  domain_id?: string;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @PasswordExpiryField()
  password_expires_at?: string | string[];
}

export function userFilter(query: UserFilterQuery): UserFilter {
  const { name, enabled, domain_id: domainId, password_expires_at: expiry } = query;
  const passwordExpiry = readExpiryFilters(expiry);
  return { name, enabled, domainId, passwordExpiry, inexact: inexactFilters(query) };
}

/** A switch that is off for every user: to turn it on is refused by name. */
function OnlyFalse(what: string): PropertyDecorator {
  return CheckedField(
    (value) => value === false,
    `is not supported: ${what}`,
    { type: Boolean, enum: [false] },
    { optional: true, nullable: true },
  );
}

/** What differs for this user from the rules for all; null takes one back. */
export class UserOptionsDto {
  @BooleanField({ optional: true, nullable: true })
  ignore_lockout_failure_attempts?: boolean | null;

  @BooleanField({ optional: true, nullable: true })
  ignore_password_expiry?: boolean | null;

  @BooleanField({ optional: true, nullable: true })
  ignore_change_password_upon_first_use?: boolean | null;

  @BooleanField({ optional: true, nullable: true })
  lock_password?: boolean | null;

  @OnlyFalse('users are not disabled for being inactive')
  ignore_user_inactivity?: false | null;

  @CheckedField(
    (value) => Array.isArray(value) && value.length <= MAX_MFA_RULES && areSets(value),
    `must be a list of at most ${MAX_MFA_RULES} lists of names of methods, without an empty list and without duplicates`,
    { type: 'array', items: { type: 'array', items: { type: 'string' } }, maxItems: MAX_MFA_RULES },
    { optional: true, nullable: true },
  )
  multi_factor_auth_rules?: readonly (readonly string[])[] | null;

  @BooleanField({ optional: true, nullable: true })
  multi_factor_auth_enabled?: boolean | null;
}

/** Lists of names, none of them empty, none and no name in one twice. */
function areSets(rules: readonly unknown[]): boolean {
  const areNames = rules.every(
    (rule) =>
      Array.isArray(rule) &&
      rule.length > 0 &&
      new Set(rule).size === rule.length &&
      rule.every((name) => typeof name === 'string' && /^[\w-]{1,64}$/.test(name)),
  );
  return areNames && new Set(rules.map((rule) => JSON.stringify(rule))).size === rules.length;
}

/** What can be given to a user and changed of it. */
export class UserFieldsDto {
  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @StringField({ ...ID, nullable: true })
  default_project_id?: string | null;

  /** Null for a user that cannot log in by one. */
  @StringField({ optional: true, nullable: true, max: LONGEST_PASSWORD })
  password?: string | null;

  @StringField(ID)
  domain_id?: string;

  @ObjectField(() => UserOptionsDto, { optional: true })
  options?: UserOptionsDto;

  @UnsupportedField('users are kept here, by no identity provider')
  federated?: unknown;

  @ReadOnlyField()
  password_expires_at?: unknown;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateUserDto extends UserFieldsDto {
  @StringField(NAME)
  name: string;

  @ReadOnlyField()
  id?: unknown;
}

export class CreateUserBody {
  @ExtensibleField(() => CreateUserDto)
  user: CreateUserDto;
}

export class UpdateUserDto extends UserFieldsDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField(ID)
  id?: string;
}

export class UpdateUserBody {
  @ExtensibleField(() => UpdateUserDto)
  user: UpdateUserDto;
}
