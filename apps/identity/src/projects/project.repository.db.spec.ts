/** Concurrent changes of one tree. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import { projects } from './project.repository.js';
import { identityService } from '../service.js';

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

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

beforeEach(async () => {
  await dataSource.query('DELETE FROM domains');
  await dataSource.query(`INSERT INTO domains (id, name) VALUES ('home', 'home')`);
  await dataSource.query(
    `INSERT INTO projects (id, domain_id, name, parent_id, ancestor_ids, enabled)
     VALUES ('parent', 'home', 'parent', NULL, '{}', true),
            ('child', 'home', 'child', 'parent', '{parent}', false)`,
  );
});

/** @returns why the project was not created */
const refusalOf = (parentId: string): Promise<string> =>
  projects
    .insertBelow(ctx, parentId, { id: asId('new'), name: 'new', domainId: asId('home') })
    .then(
      () => 'none',
      (refusal: unknown) => String(refusal),
    );

/** Somebody waits for a lock on a row. */
async function isWaiting(): Promise<boolean> {
  const rows: unknown[] = await dataSource.query(
    `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

/** Starts the work while the other change is not committed yet. */
function during<T>(sql: string, work: () => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    await tx.manager.query(sql);
    const result = work();
    await eventually('somebody waits for the lock', isWaiting);
    return { result };
  }).then(({ result }) => result);
}

describe('a new project', () => {
  it('is not made below one that is just being disabled', async () => {
    const disabling = `UPDATE projects SET enabled = false WHERE id = 'parent'`;
    expect(await during(disabling, () => refusalOf('parent'))).toMatch(/parent, which is disabled/);
  });

  it('is not made in a domain that is just being disabled', async () => {
    const disabling = `UPDATE domains SET enabled = false WHERE id = 'home'`;
    expect(await during(disabling, () => refusalOf('home'))).toMatch(/home, which is disabled/);
  });

  it('is not made below one that is just being deleted', async () => {
    const deleting = `DELETE FROM projects WHERE id IN ('parent', 'child')`;
    expect(await during(deleting, () => refusalOf('parent'))).toMatch(/'parent' is neither/);
  });
});

describe('a project that is being disabled', () => {
  it('is seen by those who would enable one below it', async () => {
    const child = await projects.find(ctx, 'child');
    if (!child) throw new Error('there is no child');
    const disabling = `UPDATE projects SET enabled = false WHERE id = 'parent'`;
    expect(
      await during(disabling, () =>
        inTransaction(ctx, (tx) => projects.hasDisabledAbove(tx, child)),
      ),
    ).toBe(true);
  });

  it('waits for those who make one below it, and sees theirs', async () => {
    const making = `
      WITH parent AS (SELECT id FROM projects WHERE id = 'parent' FOR SHARE)
      INSERT INTO projects (id, domain_id, name, parent_id, ancestor_ids)
      SELECT 'new', 'home', 'new', id, ARRAY[id] FROM parent`;
    const seen = during(making, () =>
      inTransaction(ctx, async (tx) => {
        const parent = await projects.lock(tx, 'parent');
        return projects.hasEnabledBelow(tx, parent);
      }),
    );
    expect(await seen).toBe(true);
  });
});
