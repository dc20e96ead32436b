import { describe, expect, it } from '@jest/globals';
import type { Binding } from './credential.resource.js';
import {
  accessKeyId,
  boundBlob,
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
    });
    expect(readEc2Blob(blob({ secret: 7 })).secret).toBeNull();
  });

  it.each(['trust_id', 'app_cred_id', 'access_token_id', 'access_id'])(
    'that has a %s is delegated, and stays so',
    (name) => {
      const [one, other, none] = [blob({ [name]: 'a' }), blob({ [name]: 'b' }), blob({})];
      for (const [before, after] of [
        [one, other],
        [one, none],
        [none, one],
      ] as const)
        expect(() => refuseOtherDelegation(before, after)).toThrow(`${name} cannot be changed`);
      expect(() => refuseOtherDelegation(one, blob({ [name]: 'a', secret: 's' }))).not.toThrow();
    },
  );

  const bound = (trust: string | null, credential: string | null = null): Binding =>
    ({ trustId: trust, applicationCredentialId: credential }) as Binding;
  const [none, trust, credential] = [bound(null), bound('t'), bound(null, 'a')];
  const named = (binding: Binding): string => boundBlob(newEc2Blob('AKID', 's'), binding);

  it.each([
    ['of no delegation', none, blob({ secret: 's' }), 's'],
    ['of the trust that it names', trust, named(trust), 's'],
    ['of the application credential that it names', credential, named(credential), 's'],
    ['of no delegation that names a trust', none, named(trust), undefined],
    ['of no delegation that names an application credential', none, named(credential), undefined],
    ['that names a trust by a number', none, blob({ secret: 's', trust_id: 7 }), undefined],
    ['of another trust than it names', trust, named(bound('u')), undefined],
    ['of another application credential', credential, named(bound(null, 'b')), undefined],
    ['of a trust that names none', trust, named(none), undefined],
    ['of an application credential that names none', credential, named(none), undefined],
    ['of a trust that names more', trust, boundBlob(named(credential), trust), undefined],
    ['without a secret', none, blob({}), undefined],
  ])('%s signs only with what it was made for', (_, binding, text, secret) => {
    const key = { type: 'ec2', blob: text, ...binding };
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
