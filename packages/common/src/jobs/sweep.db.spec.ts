import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { createLogger } from '../observe/logger.js';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { Gate } from './job.fixture.js';
import { runSweep, SweepLoop } from './sweep.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

const logger = createLogger('test', 'silent');

describe('a sweep', () => {
  it('of the service runs in one process at a time', async () => {
    const gate = new Gate();
    const reached = new Gate();
    let runs = 0;
    const sweep = {
      name: 'shared',
      everyMs: 1,
      run: async () => {
        runs += 1;
        reached.open();
        await gate.opened;
      },
    };
    const first = runSweep(widgets.dataSource, sweep);
    await reached.opened;
    await runSweep(widgets.dataSource, sweep);
    expect(runs).toBe(1);
    gate.open();
    await first;
    await runSweep(widgets.dataSource, sweep);
    expect(runs).toBe(2);
  });

  it('of the process itself runs in each', async () => {
    const gate = new Gate();
    let runs = 0;
    const sweep = {
      name: 'local',
      everyMs: 1,
      local: true,
      run: () => {
        runs += 1;
        return gate.opened;
      },
    };
    const both = [runSweep(widgets.dataSource, sweep), runSweep(widgets.dataSource, sweep)];
    expect(runs).toBe(2);
    gate.open();
    await Promise.all(both);
  });

  it('commits what it did, though its lock is in a transaction', async () => {
    const id = await widgets.insert({ name: 'before' });
    await runSweep(widgets.dataSource, {
      name: 'writes',
      everyMs: 1,
      run: async (ctx) => {
        await ctx.manager.query("UPDATE widgets SET name = 'after' WHERE id = $1", [id]);
        expect((await widgets.read(id)).name).toBe('after');
      },
    });
  });
});

describe('the sweep loop', () => {
  it('runs again, also after a failure', async () => {
    let runs = 0;
    const loop = new SweepLoop(widgets.dataSource, logger, [
      {
        name: 'fails',
        everyMs: 1,
        run: () => {
          runs += 1;
          return Promise.reject(new Error('no'));
        },
      },
    ]);
    loop.start();
    await eventually('it has run three times', () => runs >= 3);
    await loop.stop();
    const then = runs;
    await widgets.dataSource.query('SELECT 1');
    expect(runs).toBe(then);
  });

  it('waits, when it stops, for the run that is under way', async () => {
    const gate = new Gate();
    const reached = new Gate();
    let ended = false;
    const loop = new SweepLoop(widgets.dataSource, logger, [
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
    loop.start();
    await reached.opened;
    const stopped = loop.stop();
    gate.open();
    await stopped;
    expect(ended).toBe(true);
  });
});
