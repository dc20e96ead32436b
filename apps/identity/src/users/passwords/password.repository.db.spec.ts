import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { asId, type UserId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { PasswordRepository } from './password.repository.js';
import { identityService } from '../../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

const passwords = new PasswordRepository();
const ann = asId<UserId>('ann');

beforeAll(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
  await dataSource.query(`INSERT INTO domains (id, name) VALUES ('home', 'home')`);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('DELETE FROM users');
  await dataSource.query(`INSERT INTO users (id, domain_id, name) VALUES ('ann', 'home', 'ann')`);
});

function replace(hash: string | null, kept = 0, expected?: string): Promise<boolean> {
  const next = { hash, isSelfSet: true, lifetime: null };
  return inTransaction(ctx, (tx) => passwords.replace(tx, ann, next, kept, expected));
}

async function row(): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown>[] = await dataSource.query(
    `SELECT password_hash AS hash, password_set_at IS NOT NULL AS set, password_self_set AS "selfSet",
            extract(epoch FROM password_expires_at - password_set_at)::float8 AS lifetime
       FROM users`,
  );
  return rows[0] ?? {};
}

async function formers(): Promise<readonly string[] | undefined> {
  return (await passwords.read(ctx, ann, 100))?.formerHashes;
}

describe('a replaced password', () => {
  it('is remembered as far as the rules need, the last first', async () => {
    for (const hash of ['a', 'b', 'c', 'd']) await replace(hash, 2);
    expect(await formers()).toEqual(['c', 'b']);
    expect((await passwords.read(ctx, ann, 1))?.formerHashes).toEqual(['c']);
  });

  it('is forgotten where the rules need none', async () => {
    for (const hash of ['a', 'b']) await replace(hash, 1);
    await replace('c', 0);
    expect(await formers()).toEqual([]);
  });

  it('is remembered too where none takes its place', async () => {
    await replace('a', 1);
    await replace(null, 1);
    await replace('b', 1);
    expect(await formers()).toEqual(['a']);
  });
});

describe('a new password', () => {
  it('is not taken where another has come before it', async () => {
    await replace('a');
    expect(await replace('b', 0, 'other')).toBe(false);
    expect(await replace('b', 0, 'a')).toBe(true);
    expect(await row()).toMatchObject({ hash: 'b' });
  });

  it('is not taken for a user that is gone', async () => {
    await dataSource.query('DELETE FROM users');
    expect(await replace('a')).toBe(false);
  });

  it('has a moment from which it is, and one until which it may be used', async () => {
    const next = { hash: 'a', isSelfSet: false, lifetime: 86_400 };
    await inTransaction(ctx, (tx) => passwords.replace(tx, ann, next, 0));
    const { lifetime, ...rest } = await row();
    expect(rest).toEqual({ hash: 'a', set: true, selfSet: false });
    // The end is in whole seconds.
    expect(lifetime).toBeGreaterThan(86_398);
    expect(lifetime).toBeLessThanOrEqual(86_400);
  });

  it('that is none has neither', async () => {
    await replace('a');
    await replace(null);
    expect(await row()).toMatchObject({ hash: null, set: false, lifetime: null });
  });
});
