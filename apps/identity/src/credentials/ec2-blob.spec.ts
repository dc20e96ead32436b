import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import type { TrustId } from '../trusts/trust.entity.js';
import {
  accessKeyId,
  newEc2Blob,
  readEc2Blob,
  refuseOtherDelegation,
  signingSecret,
} from './ec2-blob.js';

const blob = (properties: object): string => JSON.stringify({ access: 'AKID', ...properties });

describe('an access key', () => {
  it('is named by its SHA-256', () => {
    expect(accessKeyId('181920')).toBe(
      '3d3367228f9c7665266604462ec60029bcd83ad89614021a80b2eb879c572510',
    );
  });

  it('needs no secret, and then has none', () => {
    expect(readEc2Blob(blob({}))).toEqual({
      access: 'AKID',
      secret: null,
      trustId: null,
      delegations: [],
    });
    expect(readEc2Blob(blob({ secret: 7 })).secret).toBeNull();
  });

  it.each(['trust_id', 'app_cred_id', 'access_token_id', 'access_id'])(
    'that has a %s is delegated, and stays so',
    (name) => {
      const [one, other, none] = [blob({ [name]: 'a' }), blob({ [name]: 'b' }), blob({})];
      expect(readEc2Blob(one).delegations).toEqual([name]);
      expect(readEc2Blob(blob({ [name]: null })).delegations).toEqual([]);
      for (const [before, after] of [
        [one, other],
        [one, none],
        [none, one],
      ] as const)
        expect(() => refuseOtherDelegation(before, after)).toThrow(`${name} cannot be changed`);
      expect(() => refuseOtherDelegation(one, blob({ [name]: 'a', secret: 's' }))).not.toThrow();
    },
  );

  it.each([
    ['of no trust', null, blob({ secret: 's' }), 's'],
    ['of the trust that it names', 't', newEc2Blob('AKID', 's', 't'), 's'],
    ['of no trust that names one', null, newEc2Blob('AKID', 's', 't'), undefined],
    ['of no trust that names one by a number', null, blob({ secret: 's', trust_id: 7 }), undefined],
    ['of another trust than it names', 't', newEc2Blob('AKID', 's', 'u'), undefined],
    ['of a trust that names none', 't', newEc2Blob('AKID', 's', null), undefined],
    [
      'of a trust that names something else too',
      't',
      blob({ secret: 's', trust_id: 't', app_cred_id: 'a' }),
      undefined,
    ],
    ['without a secret', null, blob({}), undefined],
  ])('%s signs only with what it was made for', (_, trustId, text, secret) => {
    const of = trustId === null ? null : asId<TrustId>(trustId);
    const key = { type: 'ec2', blob: text, trustId: of };
    expect(signingSecret(key)).toBe(secret);
    expect(signingSecret({ ...key, type: 'EC2' })).toBeUndefined();
  });

  it.each(['', 'null', '7', '[]', '{', '{"access":7}', '{"access":""}', '{"access":"\\ud800"}'])(
    'is not read from %j',
    (text) => {
      expect(() => readEc2Blob(text)).toThrow('Invalid input: credential.blob of the type ec2');
    },
  );
});
