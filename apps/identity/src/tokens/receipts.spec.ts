import { describe, expect, it } from '@jest/globals';
import { unmetRules } from './receipts.js';

const BOTH = ['password', 'totp'];

function unmet(rules: string[][], methods: string[], enabled?: boolean): unknown {
  const options = { multi_factor_auth_rules: rules };
  return unmetRules(
    enabled === undefined ? options : { ...options, multi_factor_auth_enabled: enabled },
    methods,
  );
}

describe('unmetRules', () => {
  it('wants nothing more of a user without rules', () => {
    expect(unmetRules({}, ['password'])).toBeUndefined();
    expect(unmet([], ['password'])).toBeUndefined();
  });

  it('wants all methods of one rule', () => {
    expect(unmet([BOTH], ['password'])).toEqual([BOTH]);
    expect(unmet([BOTH], ['totp', 'token', 'password'])).toBeUndefined();
    expect(unmet([BOTH, ['application_credential']], ['application_credential'])).toBeUndefined();
  });

  it('names the rules alone that the methods belong to', () => {
    const rules = [BOTH, ['application_credential', 'totp']];
    expect(unmet(rules, ['password'])).toEqual([BOTH]);
    expect(unmet(rules, ['token'])).toEqual([]);
  });

  it('does not ask for what is not offered', () => {
    expect(unmet([['password', 'x509']], ['password'])).toBeUndefined();
    expect(unmet([['x509'], ['saml2', 'mapped']], ['password'])).toBeUndefined();
    expect(unmet([['x509'], BOTH], ['password'])).toEqual([BOTH]);
  });

  it('counts the rules unless they are turned off', () => {
    expect(unmet([BOTH], ['password'], true)).toEqual([BOTH]);
    expect(unmet([BOTH], ['password'], false)).toBeUndefined();
  });
});
