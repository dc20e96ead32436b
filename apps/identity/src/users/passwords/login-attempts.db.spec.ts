import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { LoginAttempts, subjectOf, type LoginSubject } from './login-attempts.js';
import { identityService } from '../../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

const attempts = new LoginAttempts({ lockoutFailures: 3, lockoutSeconds: 60 });
const ann = { id: asId<never>('ann'), options: {} };
const known = subjectOf(ann, { id: 'ann' });
const unknown = subjectOf(undefined, { name: 'nobody', domain: { id: 'default' } });

beforeAll(async () => {
  database = await createTestDatabase(identityService);
  dataSource = identityService.dataSource(database.url);
  await dataSource.initialize();
  ctx = RequestContext.system('req', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => dataSource.query('TRUNCATE login_failures'));

async function fail(subject: LoginSubject, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await attempts.admit(ctx, subject, false);
}

/** As if the last failure had been that much earlier. */
async function pass(seconds: number): Promise<void> {
  await dataSource.query(
    `UPDATE login_failures SET last_failed_at = last_failed_at - $1 * interval '1 second'`,
    [seconds],
  );
}

async function rows(): Promise<{ subject: string; failures: number }[]> {
  return dataSource.query('SELECT subject, failures FROM login_failures ORDER BY subject');
}

describe('a good attempt', () => {
  it('is let in before the failures are too many, and ends their count', async () => {
    await fail(known, 2);
    expect(await attempts.admit(ctx, known, true)).toBe(true);
    expect(await rows()).toEqual([]);
  });

  it('is not let in once they are', async () => {
    await fail(known, 3);
    expect(await attempts.admit(ctx, known, true)).toBe(false);
    expect(await attempts.admit(ctx, known, true)).toBe(false);
  });

  it('is let in again when the time is over', async () => {
    await fail(known, 3);
    await pass(60);
    expect(await attempts.admit(ctx, known, true)).toBe(true);
  });

  it('is let in while another user is locked out', async () => {
    await fail(known, 3);
    const other = subjectOf({ ...ann, id: asId<never>('bob') }, { id: 'bob' });
    expect(await attempts.admit(ctx, other, true)).toBe(true);
  });

  it('is let in from elsewhere while one address is locked out', async () => {
    await fail(subjectOf(ann, { id: 'ann' }, '192.0.2.1'), 3);
    const here = subjectOf(ann, { id: 'ann' }, '192.0.2.2');
    expect(await attempts.admit(ctx, here, true)).toBe(true);
  });

  it('is let in once all failures of the user are forgotten, from wherever they came', async () => {
    const froms = ['192.0.2.1', '192.0.2.2'].map((from) => subjectOf(ann, { id: 'ann' }, from));
    for (const subject of froms) await fail(subject, 3);
    await attempts.forget(ctx, 'ann');
    for (const subject of froms) expect(await attempts.admit(ctx, subject, true)).toBe(true);
  });

  it('is always let in of a user that ignores the lock', async () => {
    const options = { ignore_lockout_failure_attempts: true };
    const exempt = subjectOf({ ...ann, options }, { id: 'ann' });
    await fail(exempt, 5);
    expect(await attempts.admit(ctx, exempt, true)).toBe(true);
  });
});

describe('a failure', () => {
  it('is the first again where the last is long ago', async () => {
    await fail(known, 2);
    await pass(60);
    await fail(known, 1);
    expect(await rows()).toEqual([{ subject: 'ann', failures: 1 }]);
  });

  it('does not prolong the lock', async () => {
    await fail(known, 3);
    await pass(59);
    await fail(known, 1);
    await pass(1);
    expect(await attempts.admit(ctx, known, true)).toBe(true);
  });

  it('is counted of those that nobody is too, without their names', async () => {
    await fail(unknown, 3);
    expect(await rows()).toEqual([
      { subject: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), failures: 3 },
    ]);
  });

  it('is counted once each where many come together', async () => {
    await Promise.all([fail(known, 1), fail(known, 1), fail(unknown, 1), fail(known, 1)]);
    expect((await rows())[0]).toEqual({ subject: 'ann', failures: 3 });
  });

  it('cannot be counted within a transaction, which would take it back', async () => {
    await expect(
      inTransaction(ctx, async (tx) => {
        await attempts.admit(tx, known, false);
      }),
    ).rejects.toThrow('outside of a transaction');
  });
});

describe('without a lock-out', () => {
  it('nothing is counted', async () => {
    const off = new LoginAttempts({ lockoutFailures: 0, lockoutSeconds: 60 });
    expect(await off.admit(ctx, known, false)).toBe(false);
    expect(await off.admit(ctx, known, true)).toBe(true);
    expect(await rows()).toEqual([]);
  });
});

describe('the sweep', () => {
  it('forgets the failures that no longer count, and no others', async () => {
    await fail(known, 3);
    await pass(60);
    await fail(unknown, 1);
    await attempts.forgetPast(ctx);
    expect(await rows()).toEqual([{ subject: unknown.key, failures: 1 }]);
  });
});
