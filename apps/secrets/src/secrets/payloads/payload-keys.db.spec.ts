/** The key of payloads can be changed without a loss. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestDatabase } from '@cumulet/testing/database';
import { createTestDatabase } from '@cumulet/testing/database';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { SealingKeys } from '@cumulet/common/crypto/sealing-keys';
import { inTransaction } from '@cumulet/common/database/transaction';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { secrets, type SecretId } from '../secret.resource.js';
import { secretsService } from '../../service.js';
import { PayloadsService } from './payloads.service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await createTestDatabase(secretsService);
  dataSource = await secretsService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-keys', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const under = (...keys: [string, ...string[]]): PayloadsService =>
  new PayloadsService(new SealingKeys(keys));

async function stored(payloads: PayloadsService, text: string): Promise<SecretId> {
  const id = asId<SecretId>(randomUUID());
  await inTransaction(ctx, async (tx) => {
    const owned = { projectId: asId<never>('p'), creatorId: asId<never>('u') };
    await secrets.insert(tx, { id, ...owned, secretType: 'opaque' });
    const bytes = Buffer.from(text);
    await payloads.store(tx, id, { contentType: 'text/plain', bytes });
  });
  return id;
}

it('re-encrypts payloads of an old key, which is not needed afterwards', async () => {
  const old = under('the old key');
  const ids = await Promise.all(Array.from({ length: 120 }, (_, at) => stored(old, `text ${at}`)));
  const both = under('the new key', 'the old key');
  await both.requireKeys(ctx);
  expect((await both.open(ctx, ids[7] as SecretId)).toString()).toBe('text 7');
  await both.renew(ctx);
  const renewed = under('the new key');
  await renewed.requireKeys(ctx);
  const texts = await Promise.all(ids.map(async (id) => String(await renewed.open(ctx, id))));
  expect(texts).toEqual(ids.map((_, at) => `text ${at}`));
});

it('skips a damaged payload, and names it', async () => {
  const old = under('the second key');
  const ids = [await stored(old, 'one'), await stored(old, 'two'), await stored(old, 'three')];
  const damaged = [...ids].sort()[0] as SecretId;
  await dataSource.query(
    `UPDATE secret_payloads SET sealed = set_byte(sealed, 0, get_byte(sealed, 0) # 1)
      WHERE secret_id = $1`,
    [damaged],
  );
  await expect(under('the new key', 'the second key').renew(ctx)).rejects.toThrow(
    `the payloads of these secrets cannot be decrypted: ${damaged}`,
  );
  const left: unknown = await dataSource.query(
    'SELECT secret_id FROM secret_payloads WHERE key_id = $1',
    [new SealingKeys(['the second key']).currentId],
  );
  expect(left).toEqual([{ secret_id: damaged }]);
  await secrets.delete(ctx, damaged);
});

it('refuses to start without the key of a payload', async () => {
  await stored(under('the new key'), 'one');
  await expect(under('another key').requireKeys(ctx)).rejects.toThrow(
    /^SECRETS_SECRET_KEY or SECRETS_OLD_SECRET_KEYS must have the key [0-9a-f]{16},/,
  );
});
