import { describe, expect, it } from '@jest/globals';
import { hasRole } from './access.js';

describe('hasRole', () => {
  it.each([
    ['admin', ['reader', 'member', 'admin'], ['service']],
    ['member', ['reader', 'member'], ['admin', 'service']],
    ['reader', ['reader'], ['member', 'admin', 'service']],
    ['service', ['reader', 'member', 'service'], ['admin']],
    ['stranger', [], ['reader', 'member', 'admin', 'service']],
  ] as const)('%s includes %p and not %p', (role, includes, not) => {
    for (const needed of includes) expect(hasRole([role], needed)).toBe(true);
    for (const needed of not) expect(hasRole([role], needed)).toBe(false);
  });

  it('is nothing without a role', () => {
    expect(hasRole([], 'reader')).toBe(false);
  });
});
