/** Logins that are concurrent with a revocation must not leave a token that it has missed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { eventually } from '@cumulet/testing/settle';
import {
  DEMO_PASSWORD,
  login,
  projectScope,
  signedIn,
  startIdentity,
  startReplica,
  tokenOf,
  type TestIdentity,
} from '../identity.fixture.js';
import { lockForRevocation, revocationEvents } from '../revocations/revocation.repository.js';

let identity: TestIdentity;
/** Another process, which rereads revocations only after an hour. */
let forgetful: TestIdentity;
let demoId: string;

beforeAll(async () => {
  identity = await startIdentity();
  forgetful = await startReplica(identity, { revocationRefresh: 3_600_000 });
  const rows: { id: string }[] = await identity.app.dataSource.query(
    `SELECT id FROM users WHERE name = 'demo'`,
  );
  demoId = rows[0]?.id ?? '';
});
beforeEach(() =>
  identity.app.dataSource.query(`UPDATE users SET enabled = true WHERE name = 'demo'`),
);
afterAll(async () => {
  await forgetful.stop();
  await identity.stop();
});

const loginAsDemo = (): ReturnType<typeof login> =>
  login(identity.client, {
    user: 'demo',
    password: DEMO_PASSWORD,
    scope: projectScope('demo'),
  });

/** Disables the user, and revokes its tokens, in a transaction that is left open. */
async function beginDisabling(): Promise<QueryRunner> {
  const runner = identity.app.dataSource.createQueryRunner();
  await runner.startTransaction();
  const tx = identity.ctx.withManager(runner.manager);
  await lockForRevocation(tx);
  await runner.query('UPDATE users SET enabled = false WHERE id = $1', [demoId]);
  await revocationEvents.insert(tx, [{ userId: demoId }]);
  return runner;
}

const isWaiting = async (): Promise<boolean> => {
  const rows: unknown[] = await identity.app.dataSource.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
  );
  return rows.length > 0;
};

describe('a login that meets a revocation under way', () => {
  it('waits for it, and goes by what it has left', async () => {
    const runner = await beginDisabling();
    const answer = loginAsDemo();
    await eventually('the login waits', isWaiting);
    await runner.commitTransaction();
    await runner.release();
    expect((await answer).status).toBe(401);
  });

  it('goes on as if there had been none where it is taken back', async () => {
    const runner = await beginDisabling();
    const answer = loginAsDemo();
    await eventually('the login waits', isWaiting);
    await runner.rollbackTransaction();
    await runner.release();
    expect((await answer).status).toBe(201);
  });
});

describe('a process that has not read a revocation yet', () => {
  const exchange = (token: string): ReturnType<typeof login> =>
    forgetful.client.post('/v3/auth/tokens', {
      body: {
        auth: {
          identity: { methods: ['token'], token: { id: token } },
          scope: projectScope('demo'),
        },
      },
    });

  it('makes no token from one that was revoked elsewhere', async () => {
    const token = await tokenOf(identity.client, 'demo');
    expect((await exchange(token)).status).toBe(201);
    await identity.client.delete('/v3/auth/tokens', {
      token,
      headers: { 'X-Subject-Token': token },
    });
    expect((await exchange(token)).status).toBe(401);
  });

  it('makes none from one whose user was revoked as a whole', async () => {
    const token = signedIn(await loginAsDemo());
    await revocationEvents.insert(identity.ctx, [{ userId: demoId }]);
    expect((await exchange(token)).status).toBe(401);
  });
});

it('gives tokens the time of the database, so that replicas cannot disagree', async () => {
  const before: { now: Date }[] = await identity.app.dataSource.query(
    'SELECT clock_timestamp() AS now',
  );
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  try {
    const { body } = await loginAsDemo();
    const { issued_at: issuedAt } = (body as { token: { issued_at: string } }).token;
    expect(Date.parse(issuedAt)).toBeGreaterThanOrEqual(before[0]?.now.getTime() ?? Infinity);
  } finally {
    Date.now = now;
  }
});
