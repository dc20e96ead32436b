import { describe, expect, it } from '@jest/globals';
import { accessKeyId, readEc2Blob, refuseOtherDelegation } from './ec2-blob.js';

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
      isDelegated: false,
    });
    expect(readEc2Blob(blob({ secret: 7 })).secret).toBeNull();
  });

  it.each(['trust_id', 'app_cred_id', 'access_token_id', 'access_id'])(
    'that has a %s is delegated, and stays so',
    (name) => {
      const [one, other, none] = [blob({ [name]: 'a' }), blob({ [name]: 'b' }), blob({})];
      expect(readEc2Blob(one).isDelegated).toBe(true);
      expect(readEc2Blob(blob({ [name]: null })).isDelegated).toBe(false);
      for (const [before, after] of [
        [one, other],
        [one, none],
        [none, one],
      ] as const)
        expect(() => refuseOtherDelegation(before, after)).toThrow(`${name} cannot be changed`);
      expect(() => refuseOtherDelegation(one, blob({ [name]: 'a', secret: 's' }))).not.toThrow();
    },
  );

  it.each(['', 'null', '7', '[]', '{', '{"access":7}', '{"access":""}', '{"access":"\\ud800"}'])(
    'is not read from %j',
    (text) => {
      expect(() => readEc2Blob(text)).toThrow('Invalid input: credential.blob of the type ec2');
    },
  );
});
