import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, settle } from '@cumulet/testing/settle';
import type { DataSource } from 'typeorm';
import { createWidgetDataSource, startWidgets, type Widgets } from '../states/widget.fixture.js';
import { closeJobPool } from './job-pool.js';
import { BEFORE_NEXT_LOOK_MS, Gate, jobsOf, widgetWorker, type TestWorker } from './job.fixture.js';
import { nudge } from './nudge.js';

let widgets: Widgets;
/** As another process would have it: with a pool of its own. */
let elsewhere: DataSource;
let workers: TestWorker[];

beforeEach(async () => {
  widgets = await startWidgets();
  elsewhere = await createWidgetDataSource(widgets.url).initialize();
  workers = [];
});

afterEach(async () => {
  for (const worker of workers) await worker.stop();
  await closeJobPool(elsewhere);
  await elsewhere.destroy();
  await widgets.stop();
});

const nudgeWidget = (id: string, attempt = 0): Promise<void> =>
  nudge(widgets.ctx, { task: 'widget', resource: 'widget', id, attempt });

/** A job that runs, and is to run again. */
const waits = async (): Promise<boolean> =>
  (await jobsOf(widgets.dataSource)).some(
    ({ worker, delayMs }) => worker !== null && delayMs !== null,
  );

interface Run {
  readonly id: string;
  readonly attempt: number;
  readonly by: string;
}

describe('a nudge during a run', () => {
  let runs: Run[];
  let held: string;
  let gate: Gate;

  beforeEach(() => {
    runs = [];
    held = randomUUID();
    gate = new Gate();
  });

  /** A worker whose first run of the held resource lasts until the gate is opened. */
  async function start(by: string, dataSource: DataSource, concurrency: number): Promise<void> {
    const worker = widgetWorker(
      dataSource,
      async ({ id, attempt }) => {
        const first = runs.every((run) => run.id !== held);
        runs.push({ id, attempt, by });
        if (id === held && first) await gate.opened;
      },
      { concurrency },
    );
    workers.push(worker);
    await worker.start();
  }

  const runsOf = (id: string): Run[] => runs.filter((run) => run.id === id);

  it('waits for that of another process, in no slot, and keeps what it carries', async () => {
    await start('one', elsewhere, 1);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    await start('two', widgets.dataSource, 1);
    await nudgeWidget(held, 3);
    expect(await waits()).toBe(true);
    const other = randomUUID();
    await nudgeWidget(other);
    await eventually('another resource is worked on', () => runsOf(other).length === 1);
    expect(runsOf(held)).toEqual([{ id: held, attempt: 0, by: 'one' }]);
    gate.open();
    await settle(widgets.dataSource);
    expect(runsOf(held)).toEqual([
      { id: held, attempt: 0, by: 'one' },
      expect.objectContaining({ id: held, attempt: 3 }),
    ]);
  });

  it('is run by whichever worker has its new task', async () => {
    await start('one', elsewhere, 1);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    const moved: string[] = [];
    const heir = widgetWorker(
      widgets.dataSource,
      ({ id }) => Promise.resolve(void moved.push(id)),
      {
        task: 'widget@host',
      },
    );
    workers.push(heir);
    await heir.start();
    await nudge(widgets.ctx, { task: 'widget@host', resource: 'widget', id: held });
    expect(moved).toEqual([]);
    gate.open();
    await settle(widgets.dataSource);
    expect(moved).toEqual([held]);
    expect(runs).toHaveLength(1);
  });

  it('is run for a worker of the same process', async () => {
    await start('one', widgets.dataSource, 1);
    await start('two', widgets.dataSource, 1);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    await nudgeWidget(held);
    expect(await waits()).toBe(true);
    gate.open();
    await eventually('it has its turn', () => runsOf(held).length === 2, BEFORE_NEXT_LOOK_MS);
    await settle(widgets.dataSource);
    expect(await jobsOf(widgets.dataSource)).toHaveLength(0);
  });

  it('is one run more, however many come', async () => {
    await start('one', widgets.dataSource, 4);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    for (let attempt = 1; attempt <= 3; attempt += 1) await nudgeWidget(held, attempt);
    expect(await waits()).toBe(true);
    gate.open();
    await settle(widgets.dataSource);
    expect(runsOf(held).at(-1)).toMatchObject({ attempt: 3 });
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });
});
