import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Seal } from '@cumulet/common/crypto/seal';
import { eventually } from '@cumulet/testing/settle';
import { startIdentity, startReplica, tokenOf, type TestIdentity } from '../identity.fixture.js';
import { generateSigningKey } from './signing-keys.sweep.js';
import { signingKeys } from './signing-key.repository.js';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

interface PublishedKey {
  readonly kid: string;
}

async function published(): Promise<PublishedKey[]> {
  const response = await identity.client.get('/.well-known/jwks.json');
  return (response.body as { keys: PublishedKey[] }).keys;
}

function kidOf(token: string): string {
  const [header = ''] = token.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as PublishedKey).kid;
}

it('publishes the public halves to anyone, and nothing of the private ones', async () => {
  expect(await published()).toEqual([
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.any(String),
      kid: expect.any(String),
      alg: 'EdDSA',
      use: 'sig',
    },
  ]);
});

it('names the signing key in the header of a token', async () => {
  const [key] = await published();
  expect(kidOf(await tokenOf(identity.client))).toBe(key?.kid);
});

it('takes tokens of every published key, also of one that came later', async () => {
  const old = await tokenOf(identity.client);
  const key = await generateSigningKey(new Seal(identity.config.secretKey));
  await signingKeys.insert(identity.ctx, key, {
    signsInSeconds: 0,
    tokenLifetime: 3_600,
  });
  const replica = await startReplica(identity);
  try {
    const fresh = await tokenOf(replica.client);
    expect(kidOf(fresh)).toBe(key.kid);
    for (const { client } of [identity, replica]) {
      for (const token of [old, fresh]) {
        // Unknown key IDs cause a new lookup, at most once a second.
        await eventually(
          'the token is taken',
          async () => (await client.get('/v3/auth/projects', { token })).status === 200,
        );
      }
    }
  } finally {
    await replica.stop();
  }
});
