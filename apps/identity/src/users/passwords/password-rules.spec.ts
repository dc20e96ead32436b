import { describe, expect, it } from '@jest/globals';
import {
  checkForm,
  checkOwnChange,
  formersKept,
  isPasswordExpired,
  lifetimeOf,
  type CurrentPassword,
  type PasswordRules,
} from './password-rules.js';

const NONE: PasswordRules = {
  passwordPattern: undefined,
  passwordPatternText: 'eight digits',
  passwordHistory: 0,
  passwordMinimumAge: 0,
  passwordExpiry: 0,
  passwordChangeOnFirstUse: false,
};
const DAY = 86_400;
const chosen: CurrentPassword = { userId: 'u', options: {}, isSelfSet: true, ageSeconds: DAY };

describe('checkForm', () => {
  const rules = { ...NONE, passwordPattern: /^(?:\d{8})/u };

  it('takes any password, and none, where there is no pattern', () => {
    expect(() => checkForm(NONE, 'x')).not.toThrow();
    expect(() => checkForm(NONE, null)).not.toThrow();
  });

  it('takes what matches', () => {
    expect(() => checkForm(rules, '12345678')).not.toThrow();
  });

  it.each(['1234567', 'x12345678', null])('says what is wanted in place of %j', (password) => {
    expect(() => checkForm(rules, password)).toThrow(
      'The password does not match the requirements: eight digits.',
    );
  });
});

describe('checkOwnChange', () => {
  const rules = { ...NONE, passwordMinimumAge: 2 };

  it('refuses a password that its user has chosen too short a time ago', () => {
    expect(() => checkOwnChange(rules, chosen)).toThrow(
      'must be kept for 2 days before it can be changed: try again in 1 day,',
    );
  });

  it('takes it once it is old enough', () => {
    expect(() => checkOwnChange(rules, { ...chosen, ageSeconds: 2 * DAY })).not.toThrow();
  });

  it('takes one that the user was given, however new', () => {
    expect(() =>
      checkOwnChange(rules, { ...chosen, isSelfSet: false, ageSeconds: 0 }),
    ).not.toThrow();
  });

  it('refuses every change where the password is locked', () => {
    expect(() => checkOwnChange(NONE, { ...chosen, options: { lock_password: true } })).toThrow(
      'The user u may not change its own password',
    );
  });
});

describe('formersKept', () => {
  it.each([
    [0, 0],
    [1, 0],
    [5, 4],
  ])('of a history of %i with the current one is %i', (passwordHistory, kept) => {
    expect(formersKept({ ...NONE, passwordHistory })).toBe(kept);
  });
});

describe('lifetimeOf', () => {
  const expiring = { ...NONE, passwordExpiry: 30 };
  const first = { ...expiring, passwordChangeOnFirstUse: true };

  it('has no end where passwords do not expire', () => {
    expect(lifetimeOf(NONE, {}, 'user')).toBeNull();
  });

  it('is that of the setting, except for users that ignore it', () => {
    expect(lifetimeOf(expiring, {}, 'user')).toBe(30 * DAY);
    expect(lifetimeOf(expiring, { ignore_password_expiry: true }, 'user')).toBeNull();
  });

  it('is over at once where an administrator gives what must be changed', () => {
    expect(lifetimeOf(first, {}, 'administrator')).toBe(0);
    const ignoring = { ignore_change_password_upon_first_use: true };
    expect(lifetimeOf(first, ignoring, 'administrator')).toBe(30 * DAY);
  });

  it.each(['user', 'setting'] as const)('is not over at once where a %s gives it', (giver) => {
    expect(lifetimeOf(first, {}, giver)).toBe(30 * DAY);
  });
});

describe('isPasswordExpired', () => {
  const passwordExpiresAt = new Date(1_000);

  it('holds from the moment on', () => {
    expect(isPasswordExpired({ options: {}, passwordExpiresAt }, 999)).toBe(false);
    expect(isPasswordExpired({ options: {}, passwordExpiresAt }, 1_000)).toBe(true);
  });

  it('never holds of a password without an end, nor of a user that ignores it', () => {
    const options = { ignore_password_expiry: true };
    expect(isPasswordExpired({ options: {}, passwordExpiresAt: null }, 1_000)).toBe(false);
    expect(isPasswordExpired({ options, passwordExpiresAt }, 1_000)).toBe(false);
  });
});
