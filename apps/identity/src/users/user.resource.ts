/** Public source: Keystone API reference, "Users". */
import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import type { ProjectId, UserId } from '@cumulet/common/context/ids';
import {
  BooleanField,
  CheckedField,
  ObjectField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { attribute, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, json, orNull, text, type FieldType } from '@cumulet/common/resources/field-type';
import type { ShownType } from '@cumulet/common/resources/value-type';
import {
  compares,
  isComparison,
  type Comparison,
  type Condition,
} from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { Domain } from '../domains/domain.resource.js';
import { isTimestamp, readTimestamp, zonelessTimestamp } from '../http/timestamp.js';
import { Project } from '../projects/project.resource.js';
import {
  description,
  domainIdOfOwner,
  idOf,
  name,
  ResourceColumns,
} from '../resource/resource.attributes.js';
import { dtoOf, NamedQuery, ReadOnlyField, TextFilter } from '../resource/resource.dto.js';
import { resourceView, resourceViewOf } from '../resource/resource.view.js';
import { MAX_PASSWORD_LENGTH } from './passwords/password-hasher.js';
import { type UserOptions, UserOptionsDto } from './user.options.js';

const userOptions: FieldType<UserOptions> = {
  ...json(() => UserOptionsDto),
  field: (own) => ObjectField(() => UserOptionsDto, own),
};

/** Shown without its zone. */
const expiry: ShownType<Date | null> = {
  shape: String,
  nullable: true,
  column: { type: 'timestamptz' },
};

interface Expires {
  readonly passwordExpiresAt: Date | null;
}

export const USER = {
  id: idOf<UserId>('users'),
  name: attribute(name(), { about: 'The name, unique in the domain.', required: true }),
  description: description(),
  domainId: domainIdOfOwner,
  enabled: attribute(flag({ fromText: true }), {
    about: 'Whether the user can ask for tokens.',
    default: true,
  }),
  defaultProjectId: attribute(orNull(text<ProjectId>({ max: 64 })), {
    about: 'The ID of the project to which a token without an explicit scope is scoped.',
  }),
  password: givenOnly(orNull(text({ max: MAX_PASSWORD_LENGTH })), {
    about: 'The password; null for a user who cannot log in by one.',
  }),
  passwordExpiresAt: shownOnly(expiry, {
    about: 'When the password expires, in UTC; an expired password can only be changed.',
    from: ({ passwordExpiresAt }: Expires) =>
      passwordExpiresAt && zonelessTimestamp(passwordExpiresAt),
  }),
  options: attribute(userOptions, {
    about: 'Options, such as exemptions from the rules for passwords.',
    default: {},
  }),
} as const;

@Entity('users')
@Unique('users_domain_name_key', ['domainId', 'name'])
@Index('users_page_idx', ['name', 'id'])
@Index('users_default_project_id_idx', ['defaultProjectId'])
@ForeignKey(() => Domain, ['domainId'], ['id'], {
  name: 'users_domain_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Project, ['defaultProjectId'], ['id'], {
  name: 'users_default_project_id_fkey',
  onDelete: 'SET NULL',
})
export class User extends rowOf(USER, ResourceColumns) {
  /** argon2id in PHC form; null for a user without a password. Never part of a view. */
  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash: string | null;

  /**
   * A keyed digest of the setting from which the password was last set; null without a setting. Lets a
   * start skip argon2, and preserves a later change of the password.
   */
  @Column('text', { name: 'setting_digest', nullable: true, select: false })
  settingDigest: string | null;

  /** Null without a password. */
  @Column('timestamptz', { name: 'password_set_at', nullable: true })
  passwordSetAt: Date | null;

  /** Only a password that its user chose has a minimum age. */
  @Column('boolean', { name: 'password_self_set', default: false })
  passwordSelfSet: boolean;
}

export class ListUsersQuery extends NamedQuery {
  @TextFilter({ max: 64 })
  domain_id?: string;

  @FilteredBy()
  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  /** May be repeated: a user must match each. A password that never expires matches none. */
  @FilteredBy(expiryFilter)
  @CheckedField(
    (value) => textsOf(value).every((text) => readExpiry(text) !== undefined),
    `must be a timestamp such as 2026-01-31T12:00:00Z, after one of lt, lte, gt, gte, eq, neq and a colon`,
    { type: String, example: 'lt:2026-01-31T12:00:00Z' },
    { optional: true },
  )
  password_expires_at?: string | string[];
}

function expiryFilter(value: string | string[]): Condition {
  const conditions = textsOf(value).flatMap((text) => {
    const wanted = readExpiry(text);
    return wanted ? [compares('passwordExpiresAt', wanted.how, wanted.moment)] : [];
  });
  return (bind, column) => conditions.map((one) => one(bind, column)).join(' AND ');
}

/** An empty text, which is not a timestamp, stands for a value of another type. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === 'string' ? one : ''));
}

/** From `lte:2026-01-31T12:00:00Z`; undefined for an invalid filter. */
function readExpiry(text: string): { how: Comparison; moment: Date } | undefined {
  const [, how = 'eq', time = ''] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
  const moment = isTimestamp(time) ? readTimestamp(time) : undefined;
  return moment && isComparison(how) ? { how, moment } : undefined;
}

export class UserDto extends dtoOf(USER) {
  @UnsupportedField('identity providers are not offered')
  federated?: unknown;

  @ReadOnlyField()
  password_expires_at?: unknown;
}

export class PasswordChangeDto {
  @StringField({ min: 0, max: MAX_PASSWORD_LENGTH })
  original_password: string;

  @StringField({ max: MAX_PASSWORD_LENGTH })
  password: string;
}

export class ChangePasswordBody {
  @ObjectField(() => PasswordChangeDto)
  user: PasswordChangeDto;
}

export class UserView extends resourceViewOf(USER, {
  default_project_id: Shown<User>(String, USER.defaultProjectId.about, {
    optional: true,
    from: ({ defaultProjectId }) => defaultProjectId ?? undefined,
  }),
}) {}

export const userView = resourceView<User>(UserView, 'users');
