import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { eventually, settle } from '@cumulet/testing/settle';
import { createWidgetDataSource, startWidgets, type Widgets } from '../states/widget.fixture.js';
import { closeJobPool } from './job-pool.js';
import {
  BEFORE_NEXT_LOOK_MS,
  Gate,
  jobsOf,
  sweepDeadWorkers,
  widgetWorker,
  type TestWorker,
} from './job.fixture.js';
import { nudge } from './nudge.js';

let widgets: Widgets;
let worker: TestWorker | undefined;

beforeEach(async () => {
  widgets = await startWidgets();
});

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await widgets.stop();
});

/** More than an emitter takes listeners without a warning. */
const MANY = 14;

const nudgeWidget = (id: string): Promise<void> =>
  nudge(widgets.ctx, { task: 'widget', resource: 'widget', id });

describe('a worker', () => {
  it('runs each nudge, and leaves nothing of it', async () => {
    const done: string[] = [];
    worker = widgetWorker(widgets.dataSource, ({ id }) => Promise.resolve(void done.push(id)));
    await worker.start();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(ids.map(nudgeWidget));
    await settle(widgets.dataSource);
    expect(done.sort()).toEqual(ids.sort());
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });

  it('never works on one resource twice at the same time, and on others meanwhile', async () => {
    const [slow, quick] = [randomUUID(), randomUUID()];
    const started: string[] = [];
    const gate = new Gate();
    worker = widgetWorker(widgets.dataSource, async ({ id }) => {
      started.push(id);
      if (id === slow) await gate.opened;
    });
    await worker.start();
    await nudgeWidget(slow);
    await eventually('the first run has started', () => started.includes(slow));
    await nudgeWidget(slow);
    await nudgeWidget(quick);
    await eventually('the other resource was worked on', () => started.includes(quick));
    expect(started.filter((id) => id === slow)).toHaveLength(1);
    gate.open();
    await eventually(
      'it is worked on again',
      () => started.filter((id) => id === slow).length === 2,
    );
  });

  it('retries a job that threw', async () => {
    let runs = 0;
    worker = widgetWorker(widgets.dataSource, () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('first')) : Promise.resolve();
    });
    await worker.start();
    await nudgeWidget(randomUUID());
    await settle(widgets.dataSource);
    expect(runs).toBe(2);
  });

  it('asks a job that does not end to stop', async () => {
    const reached = new Gate();
    const stopping = widgetWorker(widgets.dataSource, async (_, signal) => {
      reached.open();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await stopping.start();
    await nudgeWidget(randomUUID());
    await reached.opened;
    await stopping.stop();
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });

  it('lets as many jobs as run at once listen for its end, without a warning', async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    const stopping = widgetWorker(widgets.dataSource, runUntilStopped, {
      concurrency: MANY,
    });
    let running = 0;
    async function runUntilStopped(_: unknown, signal: AbortSignal): Promise<void> {
      running += 1;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    }
    await stopping.start();
    await Promise.all(Array.from({ length: MANY }, () => nudgeWidget(randomUUID())));
    await eventually('all run', () => running === MANY);
    await stopping.stop();
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  it('ends the job that runs before it stops', async () => {
    const gate = new Gate();
    const reached = new Gate();
    let ended = false;
    const stopping = widgetWorker(widgets.dataSource, async () => {
      reached.open();
      await gate.opened;
      ended = true;
    });
    await stopping.start();
    await nudgeWidget(randomUUID());
    await reached.opened;
    const stopped = stopping.stop();
    gate.open();
    await stopped;
    expect(ended).toBe(true);
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });
});

describe('a job that a worker has by the table alone, as the answer that gave it was lost', () => {
  it('is run once the worker has its connection again', async () => {
    const [held, lost] = [randomUUID(), randomUUID()];
    const done: string[] = [];
    const gate = new Gate();
    worker = widgetWorker(widgets.dataSource, async ({ id }) => {
      done.push(id);
      if (id === held) await gate.opened;
    });
    await worker.start();
    await nudgeWidget(held);
    await eventually('the worker runs a job', () => done.includes(held));
    await widgets.dataSource.query(
      `INSERT INTO jobs (resource, id, task, attempt, context, worker)
       SELECT resource, $1, task, attempt, context, worker FROM jobs`,
      [lost],
    );
    await widgets.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'cumulet liveness'`,
    );
    // Open the gate whatever happens: the worker is stopped after the test, and waits for its job.
    try {
      await eventually('it is run', () => done.includes(lost), BEFORE_NEXT_LOOK_MS);
    } finally {
      gate.open();
    }
    await settle(widgets.dataSource);
    expect(done).toEqual([held, lost]);
  });
});

describe('a worker that loses its database', () => {
  it('can be stopped meanwhile, in the middle of a job', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    const dataSource = await createWidgetDataSource(proxy.url).initialize();
    const gate = new Gate();
    const reached = new Gate();
    const shaken = widgetWorker(dataSource, () => {
      reached.open();
      return gate.opened;
    });
    await shaken.start();
    await nudgeWidget(randomUUID());
    await reached.opened;
    await proxy.cut();
    const stopped = shaken.stop();
    gate.open();
    await expect(stopped).resolves.toBeUndefined();
    await closeJobPool(dataSource);
    await dataSource.destroy();
  });

  it('continues once the database is back, with the unfinished job too', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    const dataSource = await createWidgetDataSource(proxy.url).initialize();
    const [held, later] = [randomUUID(), randomUUID()];
    const done: string[] = [];
    const gate = new Gate();
    const reached = new Gate();
    const shaken = widgetWorker(
      dataSource,
      async ({ id }) => {
        reached.open();
        if (id === held) await gate.opened;
        done.push(id);
      },
      { concurrency: 1 },
    );
    const sweeps = sweepDeadWorkers(dataSource);
    try {
      await shaken.start();
      await nudgeWidget(held);
      await reached.opened;
      await proxy.cut();
      gate.open();
      await eventually('the job is over', () => done.includes(held));
      await proxy.mend();
      await nudgeWidget(later);
      await settle(widgets.dataSource);
      expect(done).toEqual(expect.arrayContaining([held, later]));
    } finally {
      await sweeps.stop();
      await shaken.stop();
      await closeJobPool(dataSource);
      await dataSource.destroy();
      await proxy.cut();
    }
  });

  it('is not ended by a nudge that comes before its locks are back', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    const dataSource = await createWidgetDataSource(proxy.url).initialize();
    const holder = widgets.dataSource.createQueryRunner();
    const later = randomUUID();
    const done: string[] = [];
    const gate = new Gate();
    const reached = new Gate();
    const shaken = widgetWorker(dataSource, async ({ id }) => {
      reached.open();
      if (id !== later) await gate.opened;
      done.push(id);
    });
    try {
      await shaken.start();
      await nudgeWidget(randomUUID());
      await reached.opened;
      const [locked] = (await holder.query('SELECT worker FROM jobs WHERE worker IS NOT NULL')) as {
        worker: string;
      }[];
      await proxy.cut();
      gate.open();
      await eventually('the job is over', () => done.length === 1);
      await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [
        `cumulet:worker:${locked?.worker ?? ''}`,
      ]);
      await proxy.mend();
      await eventually('the process is seen again', async () => {
        const seen = (await holder.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'cumulet liveness'`,
        )) as unknown[];
        return seen.length > 0;
      });
      await nudgeWidget(later);
      await holder.query('SELECT pg_advisory_unlock_all()');
      await eventually('it works again', () => done.includes(later));
    } finally {
      await holder.release();
      await shaken.stop();
      await closeJobPool(dataSource);
      await dataSource.destroy();
      await proxy.cut();
    }
  });
});
