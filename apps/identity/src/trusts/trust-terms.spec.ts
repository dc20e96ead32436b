import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { RedelegationError, trustTerms, type PassedTrust } from './trust-terms.js';
import type { CreateTrustDto } from './trust.resource.js';

const asked = (changes: Partial<CreateTrustDto> = {}): CreateTrustDto => ({
  trustor_user_id: 'trustor',
  trustee_user_id: 'trustee',
  impersonation: false,
  project_id: 'p',
  ...changes,
});

const passed = (changes: Partial<PassedTrust> = {}): PassedTrust => ({
  id: asId('t'),
  projectId: asId('p'),
  impersonation: true,
  expiry: null,
  redelegationCount: 2,
  isChainEnabled: true,
  ...changes,
});

describe('the terms of a trust', () => {
  it('allow no redelegation, any number of uses and no end unless they say so', () => {
    expect(trustTerms(asked())).toEqual({
      projectId: 'p',
      applicationCredentialId: null,
      impersonation: false,
      expiry: null,
      remainingUses: null,
      redelegationCount: 0,
    });
  });

  it.each([
    [{ allow_redelegation: true }, 3],
    [{ allow_redelegation: true, redelegation_count: 1 }, 1],
    [{ allow_redelegation: true, redelegation_count: 0 }, 0],
    [{ allow_redelegation: false, redelegation_count: 2 }, 0],
    [{ redelegation_count: 9 }, 0],
  ])('with %j may be passed on %i times', (changes, count) => {
    expect(trustTerms(asked(changes)).redelegationCount).toBe(count);
  });

  it('allow three redelegations in a row at most', () => {
    const changes = { allow_redelegation: true, redelegation_count: 4 };
    expect(() => trustTerms(asked(changes))).toThrow(RedelegationError);
  });

  it('limit either the uses or the redelegations', () => {
    const changes = { allow_redelegation: true, remaining_uses: 1 };
    expect(() => trustTerms(asked(changes))).toThrow(InvalidInputError);
    expect(trustTerms(asked({ remaining_uses: 1 })).remainingUses).toBe(1);
  });

  it('end in the future', () => {
    const expiry = '2999-01-01T00:00:00.123456Z';
    expect(trustTerms(asked({ expires_at: expiry })).expiry).toBe(expiry);
    expect(() => trustTerms(asked({ expires_at: '2013-02-27T18:30:59Z' }))).toThrow(
      InvalidInputError,
    );
  });

  it('name no trust but that of the token', () => {
    expect(() => trustTerms(asked({ redelegated_trust_id: 't' }))).toThrow(InvalidInputError);
    const named = asked({ redelegated_trust_id: 'other' });
    expect(() => trustTerms(named, passed())).toThrow(InvalidInputError);
    expect(() => trustTerms(asked({ redelegated_trust_id: 't' }), passed())).not.toThrow();
  });
});

describe('the terms of a trust that is passed on', () => {
  it('are those of the first where they say nothing else', () => {
    const expiry = '2999-01-01T00:00:00.000000Z';
    const terms = trustTerms(asked({ allow_redelegation: true }), passed({ expiry }));
    expect(terms).toMatchObject({ expiry, redelegationCount: 1 });
    expect(trustTerms(asked(), passed({ expiry })).redelegationCount).toBe(0);
  });

  it('may end earlier', () => {
    const expires_at = '2998-12-31T23:59:59.999999Z';
    const terms = trustTerms(
      asked({ expires_at }),
      passed({ expiry: '2999-01-01T00:00:00.000000Z' }),
    );
    expect(terms.expiry).toBe(expires_at);
  });

  it.each<[string, Partial<CreateTrustDto>, Partial<PassedTrust>]>([
    ['the first may not be passed on', {}, { redelegationCount: 0 }],
    ['the uses are limited', { remaining_uses: 1 }, {}],
    ['the project is another', { project_id: 'q' }, {}],
    ['there is no project', { project_id: null }, {}],
    ['impersonation is added', { impersonation: true }, { impersonation: false }],
    ['somebody in the chain is disabled', {}, { isChainEnabled: false }],
    ['another count is asked for', { allow_redelegation: true, redelegation_count: 2 }, {}],
    [
      'it would last longer',
      { expires_at: '2999-01-01T00:00:00.000001Z' },
      { expiry: '2999-01-01T00:00:00.000000Z' },
    ],
  ])('are refused where %s', (_, changes, first) => {
    expect(() => trustTerms(asked(changes), passed(first))).toThrow(RedelegationError);
  });

  it('may be passed on no further at their end', () => {
    const changes = { allow_redelegation: true };
    const last = passed({ redelegationCount: 1 });
    expect(trustTerms(asked(changes), last).redelegationCount).toBe(0);
  });
});
