/** Resources that users create for themselves are limited: docs/bounds.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { messageOf, startDelegation, type Delegation } from '../trusts/delegation.fixture.js';

let world: Delegation;

beforeAll(async () => {
  world = await startDelegation();
});
afterAll(() => world.identity.stop());

const rowsOf = async (table: string, owner: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM ${table} WHERE ${owner} = $1`;
  const rows: { count: number }[] = await world.identity.ctx.manager.query(sql, [
    world.id('user demo'),
  ]);
  return rows[0]?.count ?? 0;
};

const post = (path: string, body: object): Promise<TestResponse> =>
  world.identity.client.post(`/v3/${path}`, { token: world.tokens.demo, body });

const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers' };
const credential = (name: string, fields: object = {}): Promise<TestResponse> =>
  post(`users/${world.id('user demo')}/application_credentials`, {
    application_credential: { name, ...fields },
  });

/** Rows as their users would have created them. */
const filled: Readonly<Record<string, string>> = {
  access_rules: `INSERT INTO access_rules (id, user_id, service, method, path)
     SELECT 'r' || n, $1, 'compute', 'GET', '/' || n FROM generate_series(1, 10000) AS n`,
  application_credentials: `INSERT INTO application_credentials (id, user_id, project_id, name, secret_hash)
     SELECT 'a' || n, $1, $2, 'a' || n, 'x' FROM generate_series(1, 1000) AS n`,
  credentials: `INSERT INTO credentials (id, user_id, type, sealed_blob)
     SELECT 'c' || n, $1, 'cert', 'x' FROM generate_series(1, 1000) AS n`,
  trusts: `INSERT INTO trusts (id, trustor_user_id, trustee_user_id, project_id, impersonation)
     SELECT 't' || n, $1, $1, $2, true FROM generate_series(1, 10000) AS n`,
};

const fill = async (table: string): Promise<void> => {
  const sql = filled[table] ?? '';
  const params = [world.id('user demo'), world.id('project demo')];
  const { manager } = world.identity.ctx;
  // Each row of the trigger counts the others: here, at once.
  await manager.transaction(async (tx) => {
    await tx.query(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_user_limit`);
    await tx.query(sql, sql.includes('$2') ? params : params.slice(0, 1));
    await tx.query(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_user_limit`);
  });
};

describe.each<[string, string, string, () => Promise<TestResponse>]>([
  [
    'access_rules',
    'user_id',
    'access rules: the user has the maximum of 10000',
    () => credential('bound', { access_rules: [rule] }),
  ],
  [
    'application_credentials',
    'user_id',
    'application credentials: the user has the maximum of 1000',
    () => credential('one more'),
  ],
  [
    'credentials',
    'user_id',
    'credentials: the user has the maximum of 1000',
    () =>
      post('credentials', {
        credential: { type: 'cert', blob: 'x', user_id: world.id('user demo') },
      }),
  ],
  [
    'trusts',
    'trustor_user_id',
    'trusts: the user has the maximum of 10000',
    () =>
      post('OS-TRUST/trusts', {
        trust: {
          trustor_user_id: world.id('user demo'),
          trustee_user_id: world.id('user admin'),
          project_id: world.id('project demo'),
          impersonation: true,
          roles: [{ name: 'member' }],
        },
      }),
  ],
])('%s', (table, owner, message, create) => {
  it('of a user are created up to their limit', async () => {
    await fill(table);
    const before = await rowsOf(table, owner);
    const answer = await create();
    expect(messageOf(answer)).toBe(`Unable to create additional ${message} already.`);
    expect(answer.status).toBe(403);
    expect(await rowsOf(table, owner)).toBe(before);
    await world.identity.ctx.manager.query(
      `DELETE FROM ${table} WHERE ${owner} = $1 AND id ~ '^[ract][0-9]+$'`,
      [world.id('user demo')],
    );
    expect((await create()).status).toBe(201);
  });
});
