import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../database/transaction.js';
import { eventually } from '@cumulet/testing/settle';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { isWaiting, jobsOf } from './job.fixture.js';
import { nudge, nudgeAll } from './nudge.js';

/** Far enough away that no machine gets there during a test. */
const HOUR_MS = 3_600_000;

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

beforeEach(async () => {
  await widgets.dataSource.query('DELETE FROM jobs');
});

const widget = (id: string) => ({ task: 'widget', resource: 'widget', id });

describe('a nudge', () => {
  it('is taken in its turn', async () => {
    await nudgeAll(widgets.ctx, [
      { ...widget(randomUUID()), turn: 2 },
      { ...widget(randomUUID()), turn: 1 },
      widget(randomUUID()),
    ]);
    const jobs = await jobsOf(widgets.dataSource);
    expect(jobs.map(({ priority }) => priority)).toEqual([0, 1, 2]);
  });

  it('for later puts off none that is due before', async () => {
    const id = randomUUID();
    const delay = async (): Promise<unknown> => (await jobsOf(widgets.dataSource))[0]?.delayMs;
    await nudge(widgets.ctx, { ...widget(id), delayMs: HOUR_MS });
    expect(await delay()).toBeGreaterThan(HOUR_MS / 2);
    await nudge(widgets.ctx, widget(id));
    await nudge(widgets.ctx, { ...widget(id), delayMs: HOUR_MS });
    expect(await delay()).toBeLessThanOrEqual(0);
  });

  it('carries who asked, and no token', async () => {
    const id = randomUUID();
    await nudge(widgets.ctx, widget(id));
    expect(await jobsOf(widgets.dataSource)).toEqual([
      expect.objectContaining({
        resource: 'widget',
        id,
        task: 'widget',
        attempt: 0,
        context: {
          requestId: widgets.ctx.requestId,
          userId: 'user',
          projectId: 'project',
          roles: ['member'],
        },
      }),
    ]);
  });

  it('is rolled back with its transaction', async () => {
    const work = inTransaction(widgets.ctx, async (tx) => {
      await nudge(tx, widget(randomUUID()));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });

  it('is not lost where a worker is taking the one before it', async () => {
    const id = randomUUID();
    await nudge(widgets.ctx, widget(id));
    const taking = widgets.dataSource.createQueryRunner();
    await taking.startTransaction();
    await taking.query("UPDATE jobs SET worker = 'a worker', run_at = NULL");
    const nudged = nudge(widgets.ctx, widget(id));
    await eventually('the nudge waits for the worker', () => isWaiting(widgets.dataSource));
    await taking.commitTransaction();
    await taking.release();
    await nudged;
    const [job] = await jobsOf(widgets.dataSource);
    expect(job).toMatchObject({ id, worker: 'a worker' });
    expect(job?.delayMs).toBe(0);
  });

  it('takes the place of the one before it, with its task and its time', async () => {
    const id = randomUUID();
    await nudge(widgets.ctx, { ...widget(id), delayMs: HOUR_MS, attempt: 3 });
    await nudge(widgets.ctx, { ...widget(id), task: 'widget@host' });
    const jobs = await jobsOf(widgets.dataSource);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({ task: 'widget@host', attempt: 0 });
    expect(jobs[0]?.delayMs).toBe(0);
  });

  it('may wait', async () => {
    await nudge(widgets.ctx, { ...widget(randomUUID()), delayMs: HOUR_MS });
    expect((await jobsOf(widgets.dataSource))[0]?.delayMs).toBeGreaterThan(HOUR_MS / 2);
  });
});

describe('nudges of many resources', () => {
  it('are jobs of their own, each with its task, its time and its attempt', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await nudgeAll(widgets.ctx, [
      { ...widget(one), attempt: 2 },
      { ...widget(other), task: 'widget@host', delayMs: HOUR_MS },
    ]);
    const jobs = await jobsOf(widgets.dataSource);
    const of = (sought: string) => jobs.find(({ id }) => id === sought);
    expect(jobs).toHaveLength(2);
    expect(of(one)).toMatchObject({ task: 'widget', attempt: 2 });
    expect(of(other)).toMatchObject({ task: 'widget@host', attempt: 0 });
    expect(of(one)?.delayMs).toBe(0);
    expect(of(other)?.delayMs).toBeGreaterThan(HOUR_MS / 2);
  });

  it('may be none', async () => {
    await nudgeAll(widgets.ctx, []);
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });
});
