import { describe, expect, it } from '@jest/globals';
import type { Actor } from '../http/actor.js';
import { ActorCredentials } from './actor-credentials.js';
import type { IssuedToken } from './issued-token.js';

/** A service's tokens, numbered; one of a trust is named after it. */
function credentials(): ActorCredentials {
  let [own, issued] = [1, 0];
  return new ActorCredentials({
    token: () => Promise.resolve(`own ${own}`),
    invalidate: (value) => {
      if (value === `own ${own}`) own += 1;
    },
    renew: () => Promise.resolve(''),
    issue: (scope) =>
      Promise.resolve({
        value: `${JSON.stringify(scope)} ${(issued += 1)}`,
        userId: '',
        projectId: '',
        renewAt: Infinity,
        expiresAt: Infinity,
      } satisfies IssuedToken),
  });
}

const byTrust = (count: number): string => `{"OS-TRUST:trust":{"id":"t"}} ${count}`;

describe('ActorCredentials', () => {
  it.each<[string, Actor, object, object]>([
    [
      'of the caller are its own, and there are no others',
      { as: 'caller', token: 'its', isRuled: false },
      { token: 'its' },
      { token: 'its' },
    ],
    [
      'of a caller with access rules show the service too, whose token is replaced',
      { as: 'caller', token: 'its', isRuled: true },
      { token: 'its', serviceToken: 'own 1' },
      { token: 'its', serviceToken: 'own 2' },
    ],
    [
      'of the service are replaced once refused',
      { as: 'service' },
      { token: 'own 1' },
      { token: 'own 2' },
    ],
    [
      'of the service in a domain are replaced once refused',
      { as: 'service', domainId: 'd' },
      { token: '{"domain":{"id":"d"}} 1' },
      { token: '{"domain":{"id":"d"}} 2' },
    ],
    [
      'of a trust are replaced once refused',
      { as: 'trustor', trustId: 't' },
      { token: byTrust(1) },
      { token: byTrust(2) },
    ],
  ])('%s', async (_, actor, first, next) => {
    const all = credentials();
    const shown = await all.of(actor);
    expect(shown).toEqual(first);
    expect(await all.of(actor)).toEqual(first);
    all.invalidate(actor, shown);
    expect(await all.of(actor)).toEqual(next);
  });
});
