/** Bodies and queries. Public source: Keystone API reference, "Users". */
import {
  BooleanField,
  CheckedField,
  ObjectField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import {
  compares,
  isComparison,
  type Comparison,
  type Condition,
} from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import {
  DescriptionField,
  NamedQuery,
  NameField,
  ReadOnlyField,
  ResourceDto,
  TextFilter,
} from '../resource/resource.dto.js';
import { isTimestamp, readTimestamp, zonelessTimestamp } from '../http/timestamp.js';
import { MAX_PASSWORD_LENGTH } from './passwords/password-hasher.js';
import { resourceView, ResourceView } from '../resource/resource.view.js';
import type { User } from './user.entity.js';
import { UserOptionsDto } from './user.options.js';

const ID = { optional: true, max: 64 } as const;

export class ListUsersQuery extends NamedQuery {
  @TextFilter({ max: 64 })
  domain_id?: string;

  @FilteredBy()
  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  /** Given more than once, a user must match each; one whose password never expires matches none. */
  @FilteredBy(expiryFilter)
  @CheckedField(
    (value) => textsOf(value).every((text) => readExpiry(text) !== undefined),
    `must be a time, as 2026-01-31T12:00:00Z, after one of lt, lte, gt, gte, eq, neq and a colon`,
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

/** Stands in a text that is no time for a value of another type. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === 'string' ? one : ''));
}

/** From `lte:2026-01-31T12:00:00Z`; undefined for a text that is no filter. */
function readExpiry(text: string): { how: Comparison; moment: Date } | undefined {
  const [, how = 'eq', time = ''] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
  const moment = isTimestamp(time) ? readTimestamp(time) : undefined;
  return moment && isComparison(how) ? { how, moment } : undefined;
}

/** What a client can set of a user. */
export class UserDto extends ResourceDto {
  @NameField()
  name: string;

  @DescriptionField()
  description?: string | null;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @StringField({ ...ID, nullable: true })
  default_project_id?: string | null;

  /** Null for a user who cannot log in by password. */
  @StringField({ optional: true, nullable: true, max: MAX_PASSWORD_LENGTH })
  password?: string | null;

  @StringField({ ...ID, description: "The caller's unless it is given." })
  domain_id?: string;

  @ObjectField(() => UserOptionsDto, { optional: true })
  options?: UserOptionsDto;

  @UnsupportedField('users are kept here, by no identity provider')
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

export class UserView extends ResourceView {
  @Shown(String, 'Unique in its domain.')
  name: string;

  @Shown(String, 'The domain that owns it.')
  domain_id: string;

  @Shown(String, 'Who it is, for people.')
  description: string;

  @Shown(Boolean, 'Whether it can ask for tokens.')
  enabled: boolean;

  @Shown<User>(String, 'The scope of a token that is asked for without one.', {
    optional: true,
    from: ({ defaultProjectId }) => defaultProjectId ?? undefined,
  })
  default_project_id?: string;

  @Shown<User>(String, 'From when, in UTC, the password is good only to be changed.', {
    nullable: true,
    from: ({ passwordExpiresAt }) => passwordExpiresAt && zonelessTimestamp(passwordExpiresAt),
  })
  password_expires_at: string | null;

  @Shown(() => UserOptionsDto, 'What differs from the rules for all users.')
  options: UserOptionsDto;
}

export const userView = resourceView<User>(UserView, 'users');
