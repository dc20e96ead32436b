import { describe, expect, it } from '@jest/globals';
import { loadIdentityConfig } from './config.js';

const complete = {
  IDENTITY_DATABASE_URL: 'postgres://localhost/identity',
  IDENTITY_SECRET_KEY: 'f0'.repeat(32),
  IDENTITY_ADMIN_PASSWORD: 'one',
  CUMULET_SERVICE_PASSWORD: 'two',
};

describe('loadIdentityConfig', () => {
  it('accepts the secret key in both notations', () => {
    const base64 = Buffer.from('f0'.repeat(32), 'hex').toString('base64');
    const one = loadIdentityConfig(complete);
    const other = loadIdentityConfig({ ...complete, IDENTITY_SECRET_KEY: base64 });
    expect(other.secretKey).toBe(one.secretKey);
  });

  it.each(['short', 'g0'.repeat(32), 'f0'.repeat(31)])(
    'refuses the secret key %s without repeating it',
    (key) => {
      const load = (): unknown => loadIdentityConfig({ ...complete, IDENTITY_SECRET_KEY: key });
      expect(load).toThrow(/^IDENTITY_SECRET_KEY must be 32 bytes/);
      expect(load).not.toThrow(new RegExp(key));
    },
  );

  it.each(Object.keys(complete))('requires %s', (name) => {
    expect(() => loadIdentityConfig({ ...complete, [name]: undefined })).toThrow(
      new RegExp(`^${name} is required`),
    );
  });

  it('matches passwords from their beginning, and not to their end', () => {
    const { passwordPattern } = loadIdentityConfig({
      ...complete,
      IDENTITY_PASSWORD_PATTERN: 'a|\\d{2}',
    });
    expect(['ab', '12x'].map((one) => passwordPattern?.test(one))).toEqual([true, true]);
    expect(['ba', 'x12'].map((one) => passwordPattern?.test(one))).toEqual([false, false]);
  });

  it.each(['(', 'a)(b', '[z-a]'])('refuses the pattern %s by its name', (pattern) => {
    expect(() => loadIdentityConfig({ ...complete, IDENTITY_PASSWORD_PATTERN: pattern })).toThrow(
      `IDENTITY_PASSWORD_PATTERN must be a regular expression; "${pattern}" is not`,
    );
  });

  it('has no rules for passwords by default, but locks out guesses', () => {
    expect(loadIdentityConfig(complete)).toMatchObject({
      passwordPattern: undefined,
      passwordHistory: 0,
      passwordMinimumAge: 0,
      passwordExpiry: 0,
      passwordChangeOnFirstUse: false,
      lockoutFailures: 10,
      lockoutSeconds: 60,
    });
  });

  it('has no demo user and no other service by default', () => {
    const config = loadIdentityConfig(complete);
    expect(config.demoPassword).toBeUndefined();
    expect(config.services).toEqual([]);
  });
});
