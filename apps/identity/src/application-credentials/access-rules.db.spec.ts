import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { inTransaction } from '@cumulet/common/database/transaction';
import { eventually } from '@cumulet/testing/settle';
import { startPeople, type People } from '../trusts/people.fixture.js';
import { accessRules as rules } from './application-credential.repository.js';

const numbered = (count: number): { service: string; method: string; path: string }[] =>
  Array.from({ length: count }, (_, at) => ({ service: 'compute', method: 'GET', path: `/${at}` }));

const user = 'ann';

let people: People;

beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people.stop());

describe('access rules that are requested concurrently', () => {
  it('are created once, whatever the order of the requests', async () => {
    const { ctx } = people;
    const wanted = numbered(16);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        inTransaction(ctx, (tx) =>
          rules.ensure(tx, user, at % 2 === 0 ? wanted : wanted.toReversed()),
        ),
      ),
    );
    expect(new Set(all.flat()).size).toBe(16);
    expect((await rules.page(ctx, {})).rows).toHaveLength(16);
  });

  it('cannot be removed while a credential is made of them', async () => {
    const { ctx } = people;
    const [id = ''] = await rules.ensure(ctx, user, numbered(1));
    let removed = Promise.resolve();
    await inTransaction(ctx, async (tx) => {
      expect(await rules.lockAll(tx, user, [id, 'another'])).toEqual([id]);
      removed = rules.delete(ctx, { id: asId(id), userId: asId(user) });
      await eventually('the removal waits', async () => {
        const waiting: object[] = await tx.manager.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
    });
    await expect(removed).resolves.toBeUndefined();
  });
});
