import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, settle } from '@cumulet/testing/settle';
import type { DataSource } from 'typeorm';
import { createWidgetDataSource, startWidgets, type Widgets } from '../states/widget.fixture.js';
import { closeJobPool } from './job-pool.js';
import { Gate, jobsOf, widgetWorker, type JobRow, type TestWorker } from './job.fixture.js';
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

const waiting = async (): Promise<JobRow[]> =>
  (await jobsOf(widgets.dataSource)).filter(({ key }) => key !== null);

const isWaiting = ({ locked, delayMs }: JobRow): boolean => !locked && delayMs > 0;

const isPutOff = async (): Promise<boolean> => (await waiting()).some(isWaiting);

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
      concurrency,
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
    await eventually('the second nudge is put off', isPutOff);
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

  it('does not count as a failed attempt, however often it is put off', async () => {
    await start('one', widgets.dataSource, 2);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    await nudgeWidget(held);
    const seen: number[] = [];
    await eventually('the second nudge is put off', async () => {
      const jobs = await waiting();
      // It has one more while it looks again.
      seen.push(...jobs.filter(isWaiting).map(({ attempts }) => attempts));
      return seen.length > 0;
    });
    expect(seen).toEqual([0]);
    gate.open();
    await settle(widgets.dataSource);
  });

  it('is run for a worker of the same process that has other tasks', async () => {
    await start('one', widgets.dataSource, 1);
    await start('two', widgets.dataSource, 1);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    await nudgeWidget(held);
    await eventually('the second nudge is put off', isPutOff);
    gate.open();
    await eventually('it has its turn', () => runsOf(held).length === 2);
    await settle(widgets.dataSource);
    expect(await jobsOf(widgets.dataSource)).toHaveLength(0);
  });

  it('is one run more, however many come', async () => {
    await start('one', widgets.dataSource, 4);
    await nudgeWidget(held);
    await eventually('the first run has started', () => runs.length === 1);
    for (let attempt = 1; attempt <= 3; attempt += 1) await nudgeWidget(held, attempt);
    await eventually('they are put off', isPutOff);
    gate.open();
    await settle(widgets.dataSource);
    expect(runsOf(held).at(-1)).toMatchObject({ attempt: 3 });
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });
});
