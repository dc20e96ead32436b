import { BooleanField, CheckedField } from '@cumulet/common/http/fields';

const MAX_MFA_RULES = 32;

/** An option that is false for every user and cannot be set. */
function OnlyFalse(what: string): PropertyDecorator {
  return CheckedField(
    (value) => value === false,
    `is not supported: ${what}`,
    { type: Boolean, enum: [false] },
    { optional: true, nullable: true },
  );
}

/** Null removes an option. Public source: Keystone API reference, "Users", options. */
export class UserOptionsDto {
  @BooleanField({ optional: true, nullable: true })
  ignore_lockout_failure_attempts?: boolean | null;

  @BooleanField({ optional: true, nullable: true })
  ignore_password_expiry?: boolean | null;

  @BooleanField({ optional: true, nullable: true })
  ignore_change_password_upon_first_use?: boolean | null;

  /** The user may not change its own password. */
  @BooleanField({ optional: true, nullable: true })
  lock_password?: boolean | null;

  /** Accepted for clients that set it to the value of every user. */
  @OnlyFalse('users are not disabled for being inactive')
  ignore_user_inactivity?: false | null;

  /** Sets of methods; those of one set suffice together. See `tokens/receipts.ts`. */
  @CheckedField(
    (value) => Array.isArray(value) && value.length <= MAX_MFA_RULES && areSets(value),
    `must be a list of at most ${MAX_MFA_RULES} lists of names of methods, without an empty list and without duplicates`,
    { type: 'array', items: { type: 'array', items: { type: 'string' } }, maxItems: MAX_MFA_RULES },
    { optional: true, nullable: true },
  )
  multi_factor_auth_rules?: readonly (readonly string[])[] | null;

  /** True by default. */
  @BooleanField({ optional: true, nullable: true })
  multi_factor_auth_enabled?: boolean | null;
}

/** Non-empty lists of names, no list twice and no name twice in a list. */
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

export type UserOptions = {
  readonly [Name in keyof UserOptionsDto]?: NonNullable<UserOptionsDto[Name]>;
};
