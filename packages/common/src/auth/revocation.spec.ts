import { describe, expect, it } from '@jest/globals';
import { isRevoked, type RevocationEvent } from './revocation.js';
import type { TokenClaims } from './token-claims.js';

const claims: TokenClaims = {
  userId: 'user',
  userDomainId: 'default',
  projectId: 'project',
  domainId: 'domain',
  scope: 'project',
  roles: ['member'],
  methods: ['password'],
  auditIds: ['own', 'between', 'first'],
  issuedAt: 1000,
  expiresAt: 9000,
};

const revokes = (event: Partial<RevocationEvent>): boolean =>
  isRevoked(claims, [{ issuedBefore: 1000, ...event }]);

describe('a revocation event', () => {
  it.each([
    { auditId: 'own' },
    { auditChainId: 'first' },
    { userId: 'user' },
    { projectId: 'project' },
    { domainId: 'domain' },
    { userId: 'user', projectId: 'project' },
  ])('revokes by %p', (event) => {
    expect(revokes(event)).toBe(true);
  });

  it.each([
    { auditId: 'first' },
    { auditChainId: 'own' },
    { userId: 'somebody else' },
    { userId: 'user', projectId: 'another' },
  ])('does not revoke by %p', (event) => {
    expect(revokes(event)).toBe(false);
  });

  it('leaves tokens that were issued after it', () => {
    expect(revokes({ userId: 'user', issuedBefore: 999 })).toBe(false);
  });
});

it('one event of many is enough', () => {
  const others = [{ userId: 'somebody else', issuedBefore: 5000 }];
  expect(isRevoked(claims, others)).toBe(false);
  expect(isRevoked(claims, [...others, { auditId: 'own', issuedBefore: 5000 }])).toBe(true);
});
