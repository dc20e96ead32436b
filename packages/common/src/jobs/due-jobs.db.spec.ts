import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startWidgets, type Widgets } from '../states/widget.fixture.js';
import { BEFORE_NEXT_LOOK_MS, Gate, widgetWorker, type TestWorker } from './job.fixture.js';
import { nudge } from './nudge.js';

let widgets: Widgets;
let worker: TestWorker | undefined;
let startedAt: Map<string, number>;

beforeEach(async () => {
  widgets = await startWidgets();
  startedAt = new Map();
});

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await widgets.stop();
});

async function startWorker(gate?: Gate, concurrency = 2): Promise<void> {
  worker = widgetWorker(
    widgets.dataSource,
    async ({ id }) => {
      startedAt.set(id, Date.now());
      await gate?.opened;
    },
    { concurrency },
  );
  await worker.start();
}

async function nudged(delayMs: number): Promise<string> {
  const id = randomUUID();
  await nudge(widgets.ctx, { task: 'widget', resource: 'widget', id, delayMs });
  return id;
}

const begun = (...ids: string[]): Promise<void> =>
  eventually('all have begun', () => ids.every((id) => startedAt.has(id)), BEFORE_NEXT_LOOK_MS);

it('nudges that fall due together have all free slots work on them', async () => {
  const gate = new Gate();
  const ids = [await nudged(300), await nudged(300)];
  await startWorker(gate);
  await begun(...ids);
  gate.open();
});

it('a nudge is run when it falls due, and not before', async () => {
  await startWorker();
  const before = Date.now();
  const [later, sooner] = [await nudged(400), await nudged(200)];
  await begun(later, sooner);
  expect(Number(startedAt.get(sooner)) - before).toBeGreaterThanOrEqual(195);
  expect(Number(startedAt.get(later)) - before).toBeGreaterThanOrEqual(395);
});

it('a nudge that falls due while all slots are busy has the next that is free', async () => {
  const gate = new Gate();
  await startWorker(gate, 1);
  const first = await nudged(0);
  await begun(first);
  const second = await nudged(50);
  await eventually('it is due', async () => {
    const due: unknown[] = await widgets.dataSource.query(
      'SELECT FROM jobs WHERE id = $1 AND run_at <= now()',
      [second],
    );
    return due.length > 0;
  });
  gate.open();
  await begun(second);
});

it('a nudge whose notification was lost with the connection is found', async () => {
  await startWorker();
  await begun(await nudged(0));
  const id = randomUUID();
  // The table itself notifies nobody.
  await widgets.dataSource.query(
    `INSERT INTO jobs (resource, id, task, attempt, context, run_at)
     VALUES ('widget', $1, 'widget', 0, $2, now())`,
    [id, JSON.stringify(widgets.ctx.serialise())],
  );
  await widgets.dataSource.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'cumulet liveness'`,
  );
  await begun(id);
});
