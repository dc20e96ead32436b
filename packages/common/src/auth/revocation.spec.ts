import { describe, expect, it } from '@jest/globals';
import { RevocationIndex, type Revocable, type RevocationEvent } from './revocation.js';
import type { TokenClaims } from '../context/token-claims.js';

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

const isRevoked = (token: Revocable, events: readonly RevocationEvent[]): boolean =>
  new RevocationIndex(events).isRevoked(token);

const revokes = (event: Partial<RevocationEvent>): boolean =>
  isRevoked(claims, [{ issuedBefore: 1000, ...event }]);

describe('a revocation event', () => {
  it.each([
    { auditId: 'own' },
    { auditChainId: 'first' },
    { userId: 'user' },
    { projectId: 'project' },
    { domainId: 'domain' },
    { domainId: 'default' },
    {},
    { userId: 'user', projectId: 'project' },
  ])('revokes by %p', (event) => {
    expect(revokes(event)).toBe(true);
  });

  it.each([
    { auditId: 'first' },
    { auditChainId: 'own' },
    { trustId: 'trust' },
    { credentialId: 'credential' },
    { domainId: 'elsewhere' },
    { userId: 'somebody else' },
    { userId: 'user', projectId: 'another' },
  ])('does not revoke by %p', (event) => {
    expect(revokes(event)).toBe(false);
  });

  it('does not match tokens issued after it', () => {
    expect(revokes({ userId: 'user', issuedBefore: 999 })).toBe(false);
  });
});

it('matches as one of many', () => {
  const others = [{ userId: 'somebody else', issuedBefore: 5000 }];
  expect(isRevoked(claims, others)).toBe(false);
  expect(isRevoked(claims, [...others, { auditId: 'own', issuedBefore: 5000 }])).toBe(true);
});

describe('a delegated token', () => {
  const trust: TokenClaims = {
    ...claims,
    delegation: {
      kind: 'trust',
      id: 'trust',
      trustorId: 'user',
      trusteeId: 'service',
      intermediaryIds: ['between'],
    },
  };
  const application: TokenClaims = {
    ...claims,
    delegation: { kind: 'application-credential', id: 'credential', unrestricted: false },
  };
  const at = { issuedBefore: 1000 };

  it('is revoked with its trust and with everyone involved', () => {
    const users = ['user', 'service', 'between'].map((userId) => ({ userId }));
    for (const event of [{ trustId: 'trust' }, ...users]) {
      expect(isRevoked(trust, [{ ...event, ...at }])).toBe(true);
    }
    expect(isRevoked(trust, [{ trustId: 'another', ...at }])).toBe(false);
  });

  it('is revoked with its application credential', () => {
    expect(isRevoked(application, [{ credentialId: 'credential', ...at }])).toBe(true);
    expect(isRevoked(application, [{ credentialId: 'another', ...at }])).toBe(false);
    expect(isRevoked(trust, [{ credentialId: 'trust', ...at }])).toBe(false);
  });
});

it('an access key is revoked with its credential and its user', () => {
  const key = { ...claims, auditIds: [], credentialId: 'key' };
  expect(isRevoked(key, [{ credentialId: 'key', issuedBefore: 1000 }])).toBe(true);
  expect(isRevoked(key, [{ userId: 'user', issuedBefore: 1000 }])).toBe(true);
  expect(isRevoked(key, [{ credentialId: 'another', issuedBefore: 1000 }])).toBe(false);
});

it('an access key of an application credential is revoked with either', () => {
  const delegation = {
    kind: 'application-credential',
    id: 'credential',
    unrestricted: true,
  } as const;
  const key = { ...claims, auditIds: [], credentialId: 'key', delegation };
  for (const credentialId of ['key', 'credential'])
    expect(isRevoked(key, [{ credentialId, issuedBefore: 1000 }])).toBe(true);
  expect(isRevoked(key, [{ credentialId: 'another', issuedBefore: 1000 }])).toBe(false);
});

it('an event with two fields is found in either order', () => {
  const event = { userId: 'user', projectId: 'project', issuedBefore: 1000 };
  expect(isRevoked(claims, [event])).toBe(true);
  expect(isRevoked({ ...claims, projectId: 'another' }, [event])).toBe(false);
});
