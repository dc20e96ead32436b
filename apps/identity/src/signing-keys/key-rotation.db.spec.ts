import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { DataSource } from 'typeorm';
import type { TokenClaims } from '@cumulet/common/context/token-claims';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { Keyring } from './keyring.js';
import { LocalTokenAuthority } from './signing-keys.controller.js';
import { signingKeys as keys } from './signing-key.repository.js';
import { generateSigningKey, KeyRotation } from './signing-keys.sweep.js';
import { identityService } from '../service.js';

const HOUR = 3_600;
const settings = { keyRotation: 24 * HOUR, tokenLifetime: HOUR, expiredTokenWindow: 2 * HOUR };
const seal = new Seal('a'.repeat(64));

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeEach(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** A key that has been signing for this many seconds. */
async function keySince(seconds: number, tokenLifetime = HOUR): Promise<string> {
  const key = await generateSigningKey(seal);
  await keys.insert(ctx, key, { signsInSeconds: -seconds, tokenLifetime });
  return key.kid;
}

const kids = async (): Promise<string[]> => (await keys.list(ctx)).map(({ kid }) => kid);
const rotate = (): Promise<void> => new KeyRotation(settings, seal).rotate(ctx);

async function signer(): Promise<{ token: string; kid: string | undefined }> {
  const keyring = new Keyring(seal);
  await keyring.load(ctx);
  const token = await keyring.sign(claims());
  return { token, kid: decodeProtectedHeader(token).kid };
}

function claims(): TokenClaims {
  return {
    userId: 'u',
    userDomainId: 'default',
    scope: 'unscoped',
    roles: [],
    methods: ['password'],
    auditIds: ['a'],
    issuedAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  };
}

describe('the rotation of signing keys', () => {
  it('makes a new key when the newest has signed for long enough, and not before', async () => {
    const first = await keySince(23 * HOUR);
    await rotate();
    expect(await kids()).toEqual([first]);
    await dataSource.query(`UPDATE signing_keys SET signs_from = now() - interval '25 hours'`);
    await rotate();
    expect(await kids()).toEqual([expect.not.stringMatching(first), first]);
    await rotate();
    expect(await kids()).toHaveLength(2);
  });

  it('publishes a key before it signs', async () => {
    const first = await keySince(25 * HOUR);
    await rotate();
    const { keys: published } = await new LocalTokenAuthority(dataSource).keys();
    expect(published).toHaveLength(2);
    expect((await signer()).kid).toBe(first);
  });

  it('signs with the newest key that is due', async () => {
    await keySince(25 * HOUR);
    const second = await keySince(10);
    expect((await signer()).kid).toBe(second);
  });

  it('forgets a key once its last token has expired and may not be asked about', async () => {
    const [spent, kept] = [await keySince(40 * HOUR), await keySince(4 * HOUR)];
    const newest = await keySince(2 * HOUR);
    await rotate();
    expect(await kids()).toEqual([newest, kept]);
    expect(await kids()).not.toContain(spent);
  });

  it('keeps a key for as long as the longest-lived of its tokens, whatever the setting is now', async () => {
    const longLived = await keySince(40 * HOUR, 48 * HOUR);
    const newest = await keySince(20 * HOUR);
    await rotate();
    expect(await kids()).toEqual([newest, longLived]);
  });
});

it('covers a longer lifetime from the start that sets it', async () => {
  await keySince(30 * HOUR);
  await keySince(10 * HOUR);
  await keys.coverLifetime(ctx, 5 * HOUR);
  const lifetimes = (await keys.list(ctx)).map(({ tokenLifetime }) => tokenLifetime);
  expect(lifetimes).toEqual([5 * HOUR, HOUR]);
});

it('a verifier refuses the tokens of a key that was withdrawn, as soon as it has read that', async () => {
  await keySince(HOUR);
  const verifier = new TokenVerifier(new LocalTokenAuthority(dataSource));
  const { token } = await signer();
  await expect(verifier.verify(token)).resolves.toBeDefined();
  await dataSource.query('DELETE FROM signing_keys');
  await keySince(10);
  await verifier.refresh();
  await expect(verifier.verify(token)).rejects.toThrow('requires authentication');
});
