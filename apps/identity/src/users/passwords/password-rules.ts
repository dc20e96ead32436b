/**
 * The rules for the form, the changes and the lifetime of passwords. Pure. Public source: Keystone
 * administrator guide, "Security compliance and PCI-DSS".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { IdentityConfig } from '../../config.js';
import type { User } from '../user.resource.js';
import type { UserOptions } from '../user.options.js';

export type PasswordRules = Pick<
  IdentityConfig,
  | 'passwordPattern'
  | 'passwordPatternText'
  | 'passwordHistory'
  | 'passwordMinimumAge'
  | 'passwordExpiry'
  | 'passwordChangeOnFirstUse'
>;

export interface CurrentPassword {
  readonly userId: string;
  readonly options: UserOptions;
  /** Whether the user chose it; a password that somebody else set has no minimum age. */
  readonly isSelfSet: boolean;
  readonly ageSeconds: number;
}

export type PasswordGiver = 'user' | 'administrator' | 'setting';

const DAY_SECONDS = 86_400;

/**
 * @param password null for none, which no pattern matches
 * @throws InvalidInputError with the operator's description of the pattern
 */
export function checkForm(rules: PasswordRules, password: string | null): void {
  const { passwordPattern: pattern, passwordPatternText: text } = rules;
  if (pattern && (password === null || !pattern.test(password)))
    throw new InvalidInputError(`The password does not match the requirements: ${text}.`);
}

/**
 * Checks that a user may change its password now, whatever the new one is.
 * @throws InvalidInputError for a password that is locked, or younger than its minimum age
 */
export function checkOwnChange(
  { passwordMinimumAge: minimumAge }: PasswordRules,
  { userId, options, isSelfSet, ageSeconds }: CurrentPassword,
): void {
  if (options.lock_password === true)
    throw new InvalidInputError(
      `The user ${userId} may not change its own password: its option lock_password is set. Let an administrator change it.`,
    );
  const secondsLeft = minimumAge * DAY_SECONDS - ageSeconds;
  if (isSelfSet && secondsLeft > 0)
    throw new InvalidInputError(
      `The password must be kept for ${days(minimumAge)} before it can be changed: try again in ${days(Math.ceil(secondsLeft / DAY_SECONDS))}, or let an administrator change it.`,
    );
}

export function formersKept({ passwordHistory }: PasswordRules): number {
  return Math.max(passwordHistory - 1, 0);
}

/** @returns seconds until a new password must be changed; 0 for at once, null for never */
export function lifetimeOf(
  rules: PasswordRules,
  options: UserOptions,
  giver: PasswordGiver,
): number | null {
  const mustChange =
    giver === 'administrator' &&
    rules.passwordChangeOnFirstUse &&
    options.ignore_change_password_upon_first_use !== true;
  if (mustChange) return 0;
  if (rules.passwordExpiry === 0 || options.ignore_password_expiry === true) return null;
  return rules.passwordExpiry * DAY_SECONDS;
}

/** An expired password can only be changed. */
export function isPasswordExpired(
  { options, passwordExpiresAt }: Pick<User, 'options' | 'passwordExpiresAt'>,
  now = Date.now(),
): boolean {
  if (passwordExpiresAt === null || options.ignore_password_expiry === true) return false;
  return passwordExpiresAt.getTime() <= now;
}

function days(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}
