import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { eventually } from '@cumulet/testing/settle';
import type { DataSource } from 'typeorm';
import { asId, type ProjectId } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { createDataSource } from '../database/data-source.js';
import { inTransaction } from '../database/transaction.js';
import { newRequestId } from '../context/request-id.js';
import { closeJobPool } from '../jobs/job-pool.js';
import { CreateWidgets1, Widget } from '../states/widget.fixture.js';
import { defineQuotas } from './define-quotas.js';
import { ALL_PROJECTS, QuotaLimit } from './quota-limit.entity.js';
import { QuotaLimits1796300000000 } from './quota-limits.migration.js';
import {
  QuotaBelowUsageError,
  QuotaExceededError,
  QuotaExhaustedError,
  RequestTooGreatError,
} from './quota.errors.js';
import { Quotas } from './quotas.js';

interface Config {
  readonly widgets: number;
}

const WIDGETS = 'widgets WHERE project_id = $1';

const DEFINITIONS = defineQuotas({
  widgets: {
    about: 'Widgets.',
    default: ({ widgets }: Config) => widgets,
    counted: { as: 'count(*)', in: WIDGETS },
  },
  size: { about: 'Their size.', default: () => 10, counted: { as: 'sum(size)', in: WIDGETS } },
  parts: { about: 'Parts of one widget.', default: () => 5 },
});

const quotas = new Quotas(DEFINITIONS, { widgets: 3 });

let database: TestDatabase;
let dataSource: DataSource;

const open = (url: string): DataSource =>
  createDataSource({
    url,
    poolSize: 8,
    applicationName: 'quotas',
    entities: [Widget, QuotaLimit],
    migrations: [CreateWidgets1, QuotaLimits1796300000000],
  });

beforeAll(async () => {
  database = await createTestDatabase({ name: 'quotas', dataSource: open });
  dataSource = await open(database.url).initialize();
});
beforeEach(() => dataSource.query('TRUNCATE widgets, quota_limits'));
afterAll(async () => {
  await closeJobPool(dataSource);
  await dataSource.destroy();
  await database.drop();
});

const ME = asId<ProjectId>('me');

const of = (projectId: string): RequestContext =>
  new RequestContext({
    requestId: newRequestId(),
    userId: asId('user'),
    projectId: asId(projectId),
    roles: ['member'],
    manager: dataSource.manager,
  });

/** Claims and inserts one widget, as a service creates a resource. @param before the commit */
function create(ctx: RequestContext, size = 1, before?: () => Promise<void>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await quotas.claim(tx, { widgets: 1, size });
    await tx.manager.query(
      `INSERT INTO widgets (id, project_id, name, size, state) VALUES (gen_random_uuid(), $1, 'w', $2, 'there')`,
      [tx.projectId, size],
    );
    await before?.();
  });
}

/** Starts `work` while a create of this size is not committed, which is once `work` waits for it. */
async function duringCreate(size: number, work: () => Promise<void>): Promise<void> {
  let started: Promise<void> = Promise.resolve();
  await create(of('me'), size, async () => {
    started = work();
    // Its outcome is the caller's, who gets it below.
    started.catch(() => undefined);
    await eventually('it waits for a lock', async () => {
      const waiting: unknown[] = await dataSource.query(
        `SELECT FROM pg_locks JOIN pg_database ON oid = database
          WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
      );
      return waiting.length > 0;
    });
  });
  await started;
}

/** How many of the creates at the same time succeed, and the errors of the others. */
async function createAtOnce(count: number, ctx: RequestContext) {
  const results = await Promise.allSettled(Array.from({ length: count }, () => create(ctx)));
  const refused = results.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  return { made: count - refused.length, refused };
}

describe('claiming a quota', () => {
  it('does not let concurrent requests share the last unit', async () => {
    const { made, refused } = await createAtOnce(6, of('me'));
    expect(made).toBe(3);
    for (const reason of refused) expect(reason).toBeInstanceOf(QuotaExhaustedError);
  });

  it('waits for a running creation, and counts it', async () => {
    await quotas.set(of('me'), ME, { widgets: 1 });
    const second = duringCreate(1, () => create(of('me')));
    await expect(second).rejects.toThrow(QuotaExhaustedError);
  });

  it('also respects a limit of the project', async () => {
    await quotas.set(of('me'), ME, { widgets: 5 });
    expect((await createAtOnce(8, of('me'))).made).toBe(5);
  });

  it('refuses if any of several is too small, and inserts nothing', async () => {
    await create(of('me'), 8);
    await expect(create(of('me'), 3)).rejects.toThrow(QuotaExceededError);
    const { widgets, size } = await quotas.usage(of('me'), ME);
    expect([widgets.used, size.used]).toEqual([1, 8]);
  });

  it('counts each project separately', async () => {
    await create(of('one'), 10);
    await expect(create(of('other'), 10)).resolves.toBeUndefined();
  });

  it('counts for the named project', async () => {
    await create(of('one'), 10);
    const claim = inTransaction(of('me'), (tx) => quotas.claim(tx, { size: 1 }, asId('one')));
    await expect(claim).rejects.toThrow(QuotaExhaustedError);
  });

  it('is freed with the rows, without a counter', async () => {
    await create(of('me'), 10);
    await expect(create(of('me'), 1)).rejects.toThrow(QuotaExhaustedError);
    await dataSource.query('DELETE FROM widgets');
    await expect(create(of('me'), 10)).resolves.toBeUndefined();
  });

  it('limits single requests', async () => {
    const claim = (parts: number): Promise<void> =>
      inTransaction(of('me'), (tx) => quotas.claim(tx, { parts }));
    await expect(claim(5)).resolves.toBeUndefined();
    await expect(claim(5)).resolves.toBeUndefined();
    await expect(claim(6)).rejects.toThrow(RequestTooGreatError);
  });

  it('takes no lock for zero units', async () => {
    await inTransaction(of('me'), async (tx) => {
      await quotas.claim(tx, { widgets: 0, size: 0 });
      const locks: unknown = await tx.manager.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
      );
      expect(locks).toEqual([]);
    });
  });
});

describe('the limits of a project', () => {
  it('are those of the settings, until others replace them', async () => {
    expect(await quotas.limits(of('me'), ME)).toEqual({ widgets: 3, size: 10, parts: 5 });
    await quotas.setDefaults(of('me'), { widgets: 7, parts: 2 });
    expect(await quotas.defaults(of('me'))).toEqual({ widgets: 7, size: 10, parts: 2 });
    await quotas.set(of('me'), ME, { widgets: -1, size: 0 });
    expect(await quotas.limits(of('me'), ME)).toEqual({ widgets: -1, size: 0, parts: 2 });
    expect(await quotas.limits(of('me'), asId('other'))).toEqual({
      widgets: 7,
      size: 10,
      parts: 2,
    });
  });

  it('change individually', async () => {
    await quotas.set(of('me'), ME, { widgets: 4, size: 11 });
    await quotas.set(of('me'), ME, { size: 12 });
    await quotas.set(of('me'), ME, {});
    expect(await quotas.limits(of('me'), ME)).toEqual({ widgets: 4, size: 12, parts: 5 });
  });

  it('return to the defaults after a reset, without affecting others', async () => {
    await quotas.set(of('me'), ME, { widgets: 4 });
    await quotas.set(of('me'), asId('other'), { widgets: 5 });
    await quotas.reset(of('me'), ME);
    expect(await quotas.limits(of('me'), ME)).toMatchObject({ widgets: 3 });
    expect([...(await quotas.overridden(of('me')))]).toEqual([['other', { widgets: 5 }]]);
  });

  it('are shown with the usage', async () => {
    await create(of('me'), 4);
    expect(await quotas.usage(of('me'), ME)).toEqual({
      widgets: { limit: 3, used: 1 },
      size: { limit: 10, used: 4 },
      parts: { limit: 5, used: 0 },
    });
  });

  it('may exceed 32 bits', async () => {
    await quotas.set(of('me'), ME, { size: 2 ** 50 });
    expect(await quotas.limits(of('me'), ME)).toMatchObject({ size: 2 ** 50 });
  });

  it('cannot be set below the usage, and then none changes', async () => {
    await create(of('me'), 4);
    await create(of('me'), 4);
    const set = quotas.set(of('me'), ME, { size: 9, widgets: 1 });
    await expect(set).rejects.toThrow(QuotaBelowUsageError);
    await expect(set).rejects.toThrow(
      'Quota limit 1 for widgets must be greater than or equal to already used and reserved 2.',
    );
    expect(await quotas.overridden(of('me'))).toEqual(new Map());
    await quotas.set(of('me'), ME, { size: 8, widgets: 2 });
    await quotas.set(of('me'), ME, { widgets: 1 }, { force: true });
    await expect(create(of('me'))).rejects.toThrow('all 1 are in use');
  });

  it('never fall below what a concurrent creation claims', async () => {
    const set = duringCreate(8, () => quotas.set(of('me'), ME, { size: 7 }));
    await expect(set).rejects.toThrow(QuotaBelowUsageError);
    expect(await quotas.limits(of('me'), ME)).toMatchObject({ size: 10 });
  });

  it('are replaced as a whole, and written only if they differ', async () => {
    const versions = (): Promise<unknown> =>
      dataSource.query(
        'SELECT project_id, resource, resource_limit::int AS at, xmin FROM quota_limits ORDER BY 1, 2',
      );
    await quotas.replaceAll(
      of('me'),
      new Map([
        [ALL_PROJECTS, { widgets: 8 }],
        ['one', { size: 1, parts: 1 }],
        ['two', { size: 2 }],
      ]),
    );
    expect(await quotas.defaults(of('me'))).toMatchObject({ widgets: 8 });
    const before = (await versions()) as unknown[];
    await quotas.replaceAll(
      of('me'),
      new Map([
        [ALL_PROJECTS, { widgets: 8 }],
        ['one', { size: 1 }],
        ['two', { size: 3 }],
      ]),
    );
    const after = (await versions()) as unknown[];
    expect(after).toMatchObject([
      { project_id: '', resource: 'widgets', at: 8 },
      { project_id: 'one', resource: 'size', at: 1 },
      { project_id: 'two', resource: 'size', at: 3 },
    ]);
    expect(before).toEqual(expect.arrayContaining(after.slice(0, 2)));
  });
});
