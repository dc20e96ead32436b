import { describe, expect, it } from '@jest/globals';
import { hasRole, mayCall } from './access.js';

describe('hasRole', () => {
  it.each([
    ['admin', ['reader', 'member', 'admin'], ['service']],
    ['member', ['reader', 'member'], ['admin', 'service']],
    ['reader', ['reader'], ['member', 'admin', 'service']],
    ['service', ['reader', 'member', 'service'], ['admin']],
    ['stranger', [], ['reader', 'member', 'admin', 'service']],
    ['constructor', [], ['reader', 'member', 'admin', 'service']],
    ['__proto__', [], ['reader', 'member', 'admin', 'service']],
  ] as const)('%s includes %p and not %p', (role, includes, not) => {
    for (const needed of includes) expect(hasRole([role], needed)).toBe(true);
    for (const needed of not) expect(hasRole([role], needed)).toBe(false);
  });

  it('is false without a role', () => {
    expect(hasRole([], 'reader')).toBe(false);
  });
});

describe('mayCall', () => {
  it("accepts any of the route's roles", () => {
    const access = { kind: 'role', role: 'service', or: ['admin'] } as const;
    const may = (role: string): boolean => mayCall([role], access);
    expect(['service', 'admin', 'member', 'reader'].filter(may)).toEqual(['service', 'admin']);
  });
});
