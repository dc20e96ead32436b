import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { RequestContext } from '../context/request-context.js';
import { Seal } from '../crypto/seal.js';
import { createDataSource } from '../database/data-source.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { IdempotencyKey, StoredAnswers } from './stored-answers.js';
import { IdempotencyKeyReusedError, RequestUnderWayError } from './idempotency-key.js';
import { IdempotencyKeys1796100000000 } from './idempotency-keys.migration.js';

const open = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 4,
    applicationName: 'keys',
    entities: [IdempotencyKey],
    migrations: [IdempotencyKeys1796100000000],
  });

const answers = new StoredAnswers();
const keyed = { id: 'id', fingerprint: 'body' };
const answer = { status: 201, headers: { location: '/one' }, body: { secret: 's3cret' } };

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase({ name: 'keys', dataSource: open });
  dataSource = await open(database.url).initialize();
});
beforeEach(() => dataSource.query('DELETE FROM idempotency_keys'));
afterAll(async () => {
  await closeJobPool(dataSource);
  await dataSource.destroy();
  await database.drop();
});

const age = (hours: number) =>
  dataSource.query('UPDATE idempotency_keys SET created_at = now() - make_interval(hours => $1)', [
    hours,
  ]);

describe('a stored answer', () => {
  it('is found by the same request, and refused to others with its key', async () => {
    const { manager } = dataSource;
    expect(await answers.find(manager, keyed)).toBeUndefined();
    await answers.keep(manager, keyed, answer);
    expect(await answers.find(manager, keyed)).toEqual(answer);
    const other = { ...keyed, fingerprint: 'other' };
    await expect(answers.find(manager, other)).rejects.toThrow(IdempotencyKeyReusedError);
  });

  it('is encrypted if the service has a key', async () => {
    const sealing = new StoredAnswers(new Seal('a key'));
    await sealing.keep(dataSource.manager, keyed, answer);
    const rows: unknown = await dataSource.query('SELECT * FROM idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain('s3cret');
    expect(await sealing.find(dataSource.manager, keyed)).toEqual(answer);
  });

  it('does not allow testing guesses of a short secret', async () => {
    const { manager } = dataSource;
    const sealing = new StoredAnswers(new Seal('a key'));
    await sealing.keep(manager, keyed, answer);
    const rows: unknown = await dataSource.query('SELECT fingerprint FROM idempotency_keys');
    expect(rows).not.toEqual([{ fingerprint: keyed.fingerprint }]);
    const other = { ...keyed, fingerprint: 'other' };
    await expect(sealing.find(manager, other)).rejects.toThrow(IdempotencyKeyReusedError);
  });

  it('is found by the unkeyed hash of earlier versions', async () => {
    const { manager } = dataSource;
    const seal = new Seal('a key');
    await manager.query(
      'INSERT INTO idempotency_keys (id, fingerprint, answer) VALUES ($1, $2, $3)',
      [keyed.id, keyed.fingerprint, seal.seal(JSON.stringify(answer))],
    );
    expect(await new StoredAnswers(seal).find(manager, keyed)).toEqual(answer);
  });

  it('expires after 24 hours, and may be replaced', async () => {
    const { manager } = dataSource;
    await answers.keep(manager, keyed, answer);
    await age(23);
    expect(await answers.find(manager, keyed)).toEqual(answer);
    await age(25);
    expect(await answers.find(manager, keyed)).toBeUndefined();
    const next = { id: 'id', fingerprint: 'next' };
    await answers.keep(manager, next, { ...answer, status: 202 });
    expect(await answers.find(manager, next)).toMatchObject({ status: 202 });
  });

  it('is swept once it has expired', async () => {
    const ctx = RequestContext.system('req-1', dataSource.manager);
    await answers.keep(dataSource.manager, keyed, answer);
    await age(25);
    await answers.keep(dataSource.manager, { ...keyed, id: 'young' }, answer);
    await answers.forget(ctx);
    const rows: unknown = await dataSource.query('SELECT id FROM idempotency_keys');
    expect(rows).toEqual([{ id: 'young' }]);
  });
});

it('a key is claimed by one transaction at a time, and free after its end', async () => {
  await dataSource.transaction(async (first) => {
    await answers.claim(first, keyed);
    await dataSource.transaction(async (second) => {
      await expect(answers.claim(second, keyed)).rejects.toThrow(RequestUnderWayError);
      await answers.claim(second, { ...keyed, id: 'another' });
    });
  });
  await dataSource.transaction((third) => answers.claim(third, keyed));
});
