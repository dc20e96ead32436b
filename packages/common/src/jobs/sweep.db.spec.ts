import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { DatabaseProxy } from '@cumulet/testing/database-proxy';
import { createWidgetDataSource, startWidgets, type Widgets } from '../states/widget.fixture.js';
import { Gate, sweeping } from './job.fixture.js';
import type { Sweep } from './sweep.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

describe('a sweep', () => {
  /** Runs at once, and again and again, in as many processes as are started. */
  function counted(): { sweep: Sweep; runs: () => number } {
    let runs = 0;
    const run = (): Promise<void> => Promise.resolve(void (runs += 1));
    return { sweep: { name: 'counted', everyMs: 1, run }, runs: () => runs };
  }

  it('of the service is run by one process, and by another once that has stopped', async () => {
    const [first, second] = [counted(), counted()];
    const one = sweeping(widgets.dataSource, [first.sweep]);
    await eventually('the first runs', () => first.runs() > 0);
    const other = sweeping(widgets.dataSource, [second.sweep]);
    const then = first.runs();
    await eventually('the first runs on', () => first.runs() > then + 3);
    expect(second.runs()).toBe(0);
    await one.stop();
    await eventually('the second runs', () => second.runs() > 0);
    await other.stop();
  });

  it('of the service is run by another where the connection of the first is lost', async () => {
    const proxy = await DatabaseProxy.to(widgets.url);
    const dataSource = await createWidgetDataSource(proxy.url).initialize();
    const [first, second] = [counted(), counted()];
    const one = sweeping(dataSource, [first.sweep]);
    await eventually('the first runs', () => first.runs() > 0);
    const other = sweeping(widgets.dataSource, [second.sweep]);
    await proxy.cut();
    await eventually('the second runs', () => second.runs() > 0);
    await one.stop();
    await other.stop();
    await dataSource.destroy();
  });

  it('of the process itself runs in each', async () => {
    const [first, second] = [counted(), counted()];
    const loops = [first, second].map(({ sweep }) =>
      sweeping(widgets.dataSource, [{ ...sweep, local: true }]),
    );
    await eventually('both run', () => first.runs() > 1 && second.runs() > 1);
    await Promise.all(loops.map((loop) => loop.stop()));
  });
});

describe('the sweep loop', () => {
  it('runs again, also after a failure', async () => {
    let runs = 0;
    const loop = sweeping(widgets.dataSource, [
      {
        name: 'fails',
        everyMs: 1,
        run: () => {
          runs += 1;
          return Promise.reject(new Error('no'));
        },
      },
    ]);
    await eventually('it has run three times', () => runs >= 3);
    await loop.stop();
    const then = runs;
    await widgets.dataSource.query('SELECT 1');
    expect(runs).toBe(then);
  });

  it('does not wait for the usual time after a failure', async () => {
    let runs = 0;
    const run = (): Promise<void> => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const loop = sweeping(widgets.dataSource, [{ name: 'rare', everyMs: 3_600_000, run }], 1);
    await eventually('it has run again', () => runs === 2);
    await loop.stop();
  });

  it('waits, when it stops, for the run that is under way', async () => {
    const gate = new Gate();
    const reached = new Gate();
    let ended = false;
    const loop = sweeping(widgets.dataSource, [
      {
        name: 'slow',
        everyMs: 1,
        local: true,
        run: async () => {
          reached.open();
          await gate.opened;
          ended = true;
        },
      },
    ]);
    await reached.opened;
    const stopped = loop.stop();
    gate.open();
    await stopped;
    expect(ended).toBe(true);
  });
});
