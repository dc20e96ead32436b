import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { TestProcess } from '@cumulet/testing/process/child-process';
import { eventually, settle } from '@cumulet/testing/settle';
import { inTransaction } from '../database/transaction.js';
import { createLogger } from '../observe/logger.js';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { freeJobsOf } from './job.repository.js';
import { jobsOf, sweepDeadWorkers, widgetWorker } from './job.fixture.js';
import { deadWorkerSweep, Liveness, silentAmong } from './liveness.js';
import { nudge } from './nudge.js';
import { runSweep } from './sweep.js';

let widgets: Widgets;

beforeEach(async () => {
  widgets = await startWidgets();
});

afterEach(async () => {
  await widgets.stop();
});

const logger = createLogger('test', 'silent');

const nudgeWidget = (id: string): Promise<void> =>
  nudge(widgets.ctx, { task: 'widget', resource: 'widget', id });

const isSilent = async (workerId: string): Promise<boolean> =>
  (await widgets.dataSource.transaction((tx) => silentAmong(tx, [workerId]))).length > 0;

describe('the work of a process that was killed', () => {
  it('is done by another', async () => {
    const id = randomUUID();
    await nudgeWidget(id);
    const victim = TestProcess.start(new URL('held-job.fixture.ts', import.meta.url), [
      widgets.url,
    ]);
    await victim.printed(`took ${id}`);
    const done: string[] = [];
    const heir = widgetWorker(widgets.dataSource, (job) => Promise.resolve(void done.push(job.id)));
    await heir.start();
    const sweeps = sweepDeadWorkers(widgets.dataSource);
    try {
      await victim.kill();
      await eventually('the job was done', () => done.includes(id));
    } finally {
      await sweeps.stop();
      await heir.stop();
    }
  });

  it('is done once by another where it was nudged again meanwhile', async () => {
    const id = randomUUID();
    await nudgeWidget(id);
    const victim = TestProcess.start(new URL('held-job.fixture.ts', import.meta.url), [
      widgets.url,
    ]);
    await victim.printed(`took ${id}`);
    const done: string[] = [];
    const heir = widgetWorker(widgets.dataSource, (job) => Promise.resolve(void done.push(job.id)));
    await heir.start();
    await nudgeWidget(id);
    expect(await jobsOf(widgets.dataSource)).toMatchObject([{ id, worker: expect.any(String) }]);
    const sweeps = sweepDeadWorkers(widgets.dataSource);
    try {
      await victim.kill();
      await settle(widgets.dataSource);
      expect(done).toEqual([id]);
    } finally {
      await sweeps.stop();
      await heir.stop();
    }
  });

  it('is left to it for as long as it lives', async () => {
    const id = randomUUID();
    await nudgeWidget(id);
    const worker = TestProcess.start(new URL('held-job.fixture.ts', import.meta.url), [
      widgets.url,
    ]);
    await worker.printed(`took ${id}`);
    const sweep = deadWorkerSweep(logger);
    for (let look = 0; look < 3; look += 1) await runSweep(widgets.dataSource, sweep);
    expect(await jobsOf(widgets.dataSource)).toMatchObject([{ worker: expect.any(String) }]);
    await worker.kill();
  });

  it('is freed at the second look, as a lock that was lost may be taken again', async () => {
    const id = randomUUID();
    await nudgeWidget(id);
    const victim = TestProcess.start(new URL('held-job.fixture.ts', import.meta.url), [
      widgets.url,
    ]);
    await victim.printed(`took ${id}`);
    await victim.kill();
    const sweep = deadWorkerSweep(logger);
    const isLocked = async (): Promise<boolean> =>
      (await jobsOf(widgets.dataSource)).some(({ worker }) => worker !== null);
    // Postgres notices the death of a client when it next reads from it.
    await eventually('two looks have freed it', async () => {
      await runSweep(widgets.dataSource, sweep);
      return !(await isLocked());
    });
  });
});

describe('jobs of a dead worker', () => {
  it('are given to others without waiting for those that are being nudged', async () => {
    const [nudged, other] = [randomUUID(), randomUUID()];
    await nudgeWidget(nudged);
    await nudgeWidget(other);
    await widgets.dataSource.query("UPDATE jobs SET worker = 'dead', run_at = NULL");
    const free = (): Promise<void> => freeJobsOf(widgets.dataSource.manager, ['dead']);
    const held = async (): Promise<string[]> =>
      (await jobsOf(widgets.dataSource)).flatMap(({ id, worker }) => (worker ? [id] : []));
    await inTransaction(widgets.ctx, async (tx) => {
      await nudge(tx, { task: 'widget', resource: 'widget', id: nudged });
      await free();
      expect(await held()).toEqual([nudged]);
      await nudge(tx, { task: 'widget', resource: 'widget', id: other });
    });
    await free();
    expect(await held()).toEqual([]);
  });
});

describe('work that one process leads', () => {
  it('is its own until its connection ends', async () => {
    const [one, other] = [1, 2].map(() => new Liveness(widgets.url, () => undefined));
    expect(await one?.leads('w')).toBe(true);
    expect(await other?.leads('w')).toBe(false);
    expect(await one?.leads('w')).toBe(true);
    expect(await other?.leads('v')).toBe(true);
    await one?.stop();
    await eventually('the other leads', () => other?.leads('w') ?? false);
    await other?.stop();
  });

  it('is lost with its connection', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    let losses = 0;
    const liveness = new Liveness(proxy.url, () => (losses += 1));
    const other = new Liveness(widgets.url, () => undefined);
    expect(await liveness.leads('w')).toBe(true);
    await proxy.cut();
    await eventually('the loss is told', () => losses === 1);
    const asked = liveness.leads('w');
    await eventually('the other leads', () => other.leads('w'));
    await proxy.mend();
    expect(await asked).toBe(false);
    await liveness.stop();
    await other.stop();
    await proxy.cut();
  });
});

describe('the lock of a worker', () => {
  it('is held from hold to letGo', async () => {
    const liveness = new Liveness(widgets.url, () => undefined);
    expect(await isSilent('w')).toBe(true);
    await liveness.hold('w');
    expect(await isSilent('w')).toBe(false);
    await liveness.letGo('w');
    expect(await isSilent('w')).toBe(true);
    await liveness.stop();
  });

  it('ends with its liveness', async () => {
    const liveness = new Liveness(widgets.url, () => undefined);
    await liveness.hold('w');
    await liveness.stop();
    await eventually('the lock is free', () => isSilent('w'));
  });

  it('is taken again once its lost connection is back', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    let losses = 0;
    const liveness = new Liveness(proxy.url, () => (losses += 1));
    await Promise.all([liveness.hold('one'), liveness.hold('two')]);
    await proxy.cut();
    await eventually('the loss is told', () => losses === 1);
    await eventually('the locks are free', () => isSilent('one'));
    await proxy.mend();
    await eventually('they are taken again', async () => !(await isSilent('one')));
    await eventually('they are taken again', async () => !(await isSilent('two')));
    await liveness.stop();
    await proxy.cut();
  });

  it('is waited for while Postgres is away, and no longer than the worker is wanted', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    await proxy.cut();
    const liveness = new Liveness(proxy.url, () => undefined);
    const held = liveness.hold('w');
    await liveness.stop();
    await held;
    expect(await isSilent('w')).toBe(true);
  });
});

it('has Postgres notice soon that a machine is gone which could not say so', async () => {
  const liveness = new Liveness(widgets.url, () => undefined);
  try {
    const shown = async (name: string): Promise<unknown> =>
      (await liveness.query(`SHOW tcp_keepalives_${name}`))?.rows[0];
    expect(await shown('idle')).toEqual({ tcp_keepalives_idle: '5' });
    expect(await shown('interval')).toEqual({ tcp_keepalives_interval: '2' });
    expect(await shown('count')).toEqual({ tcp_keepalives_count: '3' });
  } finally {
    await liveness.stop();
  }
});
