import { describe, expect, it } from '@jest/globals';
import { readAuthRequest } from './auth-request.js';
import type { AuthDto } from './token.dto.js';

const password = { user: { id: 'u', password: 'p' } };
const identity = { methods: ['password'], password };

function read(auth: Partial<AuthDto>): ReturnType<typeof readAuthRequest> {
  return readAuthRequest({ identity, ...auth });
}

describe('readAuthRequest', () => {
  it('reads a user by id, and by name in a domain', () => {
    expect(read({}).proofs).toEqual([{ method: 'password', user: { id: 'u' }, password: 'p' }]);
    const user = { name: 'n', domain: { name: 'D' }, password: 'p' };
    expect(read({ identity: { methods: ['password'], password: { user } } }).proofs).toEqual([
      { method: 'password', user: { name: 'n', domain: { name: 'D' } }, password: 'p' },
    ]);
  });

  it('reads each scope', () => {
    expect(read({}).scope).toEqual({ kind: 'default' });
    expect(read({ scope: { unscoped: {} } }).scope).toEqual({ kind: 'unscoped' });
    expect(read({ scope: { system: { all: true } } }).scope).toEqual({ kind: 'system' });
    expect(read({ scope: { domain: { id: 'd' } } }).scope).toEqual({
      kind: 'domain',
      domain: { id: 'd' },
    });
    expect(read({ scope: { project: { id: 'p' } } }).scope).toEqual({
      kind: 'project',
      project: { id: 'p' },
    });
  });

  it('asks for every method once', () => {
    const methods = ['password', 'password'];
    expect(read({ identity: { methods, password } }).proofs).toHaveLength(1);
  });

  it.each<[string, Partial<AuthDto>]>([
    ['auth.identity.methods', { identity: { methods: [] } }],
    ['auth.identity.password', { identity: { methods: ['password'] } }],
    ['auth.identity.totp', { identity: { methods: ['totp'] } }],
    ['auth.identity.token', { identity: { methods: ['token'] } }],
    [
      'auth.identity.password.user',
      { identity: { methods: ['password'], password: { user: { password: 'p' } } } },
    ],
    [
      'auth.identity.password.user.domain',
      { identity: { methods: ['password'], password: { user: { name: 'n', password: 'p' } } } },
    ],
    ['auth.scope', { scope: {} }],
    ['auth.scope', { scope: { project: { id: 'p' }, domain: { id: 'd' } } }],
    ['auth.scope.project', { scope: { project: {} } }],
    ['auth.scope.project.domain', { scope: { project: { name: 'n' } } }],
    ['auth.scope.project.domain', { scope: { project: { name: 'n', domain: {} } } }],
    ['auth.scope.domain', { scope: { domain: {} } }],
    ['auth.scope.system.all', { scope: { system: { all: false } } }],
  ])('names %s where it is wrong', (path, auth) => {
    expect(() => read(auth)).toThrow(`Invalid input: ${path} `);
  });

  it('refuses a method that is not offered by its name', () => {
    expect(() => read({ identity: { methods: ['x509'] } })).toThrow('unsupported method: x509');
  });
});
