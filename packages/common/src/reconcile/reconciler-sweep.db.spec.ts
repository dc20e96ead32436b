import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobsOf } from '../jobs/job.fixture.js';
import { nudge } from '../jobs/nudge.js';
import { runSweep } from '../jobs/sweep.js';
import { createLogger } from '../observe/logger.js';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { reconcilerSweep } from './reconciler-sweep.js';
import { WidgetReconciler } from './widget-reconciler.fixture.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

beforeEach(async () => {
  await widgets.dataSource.query('DELETE FROM widgets');
  await widgets.dataSource.query('DELETE FROM jobs');
});

const sweep = (): Promise<void> =>
  runSweep(
    widgets.dataSource,
    reconcilerSweep([new WidgetReconciler()], createLogger('test', 'silent')),
  );

const agoSeconds = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('a transitional row without a nudge', () => {
  it('is nudged', async () => {
    const id = await widgets.insert();
    await sweep();
    expect(await jobsOf(widgets.dataSource)).toEqual([
      expect.objectContaining({ id, task: 'widget' }),
    ]);
  });
});

describe('no nudge comes to', () => {
  it('a row that has one, which would lose its delay', async () => {
    const id = await widgets.insert();
    await nudge(widgets.ctx, { task: 'widget', resource: 'widget', id, delayMs: 60_000 });
    await sweep();
    const [job] = await jobsOf(widgets.dataSource);
    expect(job?.delayMs).toBeGreaterThan(59_000);
  });

  it('a settled row', async () => {
    await widgets.insert({ state: 'there', stateDeadline: null });
    await sweep();
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });
});

describe('a row past its deadline', () => {
  it('fails with all that changes with it', async () => {
    const id = await widgets.insert({ stateDeadline: agoSeconds(41) });
    const reconciler = new WidgetReconciler();
    reconciler.ended = async (tx, row, event) => {
      await tx.manager.query('UPDATE widgets SET name = $2 WHERE id = $1', [row, event]);
    };
    await reconcilerSweep([reconciler], createLogger('test', 'silent')).run(widgets.ctx);
    expect(await widgets.read(id)).toMatchObject({ state: 'broken', name: 'fail' });
  });

  it('fails, with a reason, once its own worker has had the time to fail it', async () => {
    const id = await widgets.insert({ stateDeadline: agoSeconds(41) });
    await sweep();
    expect(await widgets.read(id)).toMatchObject({
      state: 'broken',
      stateReason:
        'The widget did not leave making in time, and the worker in charge of it does not answer.',
    });
  });

  it('fails by the event that its plan names', async () => {
    const id = await widgets.insert({ state: 'mending', stateDeadline: agoSeconds(41) });
    const reconciler = Object.assign(new WidgetReconciler(), {
      plans: { mending: { phases: [], failure: 'failMending' } },
    });
    await reconcilerSweep([reconciler], createLogger('test', 'silent')).run(widgets.ctx);
    expect(await widgets.read(id)).toMatchObject({ state: 'worn' });
  });

  it('is left to its own worker until then', async () => {
    const id = await widgets.insert({ stateDeadline: agoSeconds(30) });
    await sweep();
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
  });

  it('fails also in a state that no plan works on', async () => {
    const id = await widgets.insert({ state: 'mending', stateDeadline: agoSeconds(41) });
    await sweep();
    expect(await widgets.read(id)).toMatchObject({ state: 'broken' });
  });
});
