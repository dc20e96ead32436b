import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '../context/request-context.js';
import { DomainError } from '../errors/domain-error.js';
import { jobsOf, type JobRow } from '../jobs/job.fixture.js';
import { createLogger } from '../observe/logger.js';
import { transition } from '../states/transition.js';
import { startWidgets, widgetStates, type Widget, type Widgets } from '../states/widget.fixture.js';
import { phase, type Scope } from './reconciler.js';
import { runReconciler, type ReconcileOutcome } from './run-reconciler.js';
import { WidgetReconciler } from './widget-reconciler.fixture.js';

let widgets: Widgets;
let reconciler: WidgetReconciler;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

beforeEach(async () => {
  reconciler = new WidgetReconciler();
  await widgets.dataSource.query('DELETE FROM jobs');
});

const logger = createLogger('test', 'silent');

const run = (id: string, attempt = 0, releaseMs = 30_000): Promise<ReconcileOutcome> =>
  runReconciler(reconciler, widgets.ctx, id, attempt, { logger, releaseMs });

async function onlyJob(): Promise<JobRow> {
  const [job, ...more] = await jobsOf(widgets.dataSource);
  expect(more).toEqual([]);
  if (!job) throw new Error('there is no job');
  return job;
}

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);

const notNow = new DomainError('transient', 'Not now.');
const never = new DomainError('conflict', 'The wood is rotten.');

describe('a plan', () => {
  it('runs its phases in order, and moves the row', async () => {
    const id = await widgets.insert();
    await run(id);
    expect(reconciler.ran).toEqual(['cut', 'glue']);
    expect(await widgets.read(id)).toMatchObject({ state: 'there' });
  });

  it('ends by the event that the row itself decides', async () => {
    const choosing = Object.assign(reconciler, {
      plans: {
        mending: {
          phases: [],
          then: ({ size }: Widget) => (size > 1 ? 'failMending' : 'fail'),
        },
      },
    });
    const small = await widgets.insert({ state: 'mending', size: 1 });
    const large = await widgets.insert({ state: 'mending', size: 2 });
    for (const id of [small, large]) await runReconciler(choosing, widgets.ctx, id, 0, { logger });
    expect(await widgets.read(small)).toMatchObject({ state: 'broken' });
    expect(await widgets.read(large)).toMatchObject({ state: 'worn' });
  });

  it('is none for a settled row, nor for one that is gone', async () => {
    await run(await widgets.insert({ state: 'there' }));
    await run(randomUUID());
    expect(reconciler.ran).toEqual([]);
  });

  it('waits where a phase says so, and is nudged again', async () => {
    const id = await widgets.insert();
    reconciler.cut = () => Promise.resolve({ waitMs: 700 });
    await run(id);
    expect(reconciler.ran).toEqual(['cut']);
    const job = await onlyJob();
    expect(job.delayMs).toBeCloseTo(700, -1);
    expect(job).toMatchObject({ id, attempt: 0 });
  });

  it('leaves a row that somebody else has moved meanwhile', async () => {
    const id = await widgets.insert();
    reconciler.glue = async ({ ctx }) => {
      await transition(ctx, widgetStates, id, 'fail', { reason: 'Somebody else.' });
    };
    await run(id);
    expect(await widgets.read(id)).toMatchObject({
      state: 'broken',
      stateReason: 'Somebody else.',
    });
    expect(reconciler.ran).not.toContain('putBack');
  });
});

describe('an old run of a row with a newer request', () => {
  /** The row is made and then asked for again, and so is in the same state as it was. */
  const askAgain = async ({ ctx, row }: Scope<Widget>): Promise<void> => {
    await transition(ctx, widgetStates, row.id, 'made');
    await transition(ctx, widgetStates, row.id, 'mend');
    await transition(ctx, widgetStates, row.id, 'failMending');
    await ctx.manager.query(`UPDATE widgets SET state = 'making' WHERE id = $1`, [row.id]);
  };

  it('does not complete it', async () => {
    const id = await widgets.insert();
    reconciler.glue = askAgain;
    expect(await run(id)).toBe('superseded');
    expect(await widgets.read(id)).toMatchObject({ state: 'making', generation: 4 });
  });

  it('does not fail it, and gives nothing back', async () => {
    const id = await widgets.insert();
    reconciler.glue = async (scope) => {
      await askAgain(scope);
      throw never;
    };
    expect(await run(id)).toBe('superseded');
    expect(await widgets.read(id)).toMatchObject({ state: 'making', generation: 4 });
    expect(reconciler.ran).not.toContain('putBack');
  });
});

describe('a plan that continues', () => {
  /** Making leads to mending, which is a plan of its own. */
  const goingOn = (): WidgetReconciler => {
    const { plans } = reconciler;
    const first = { phases: [phase('move', ({ ctx, row }: Scope<Widget>) => move(ctx, row.id))] };
    return Object.assign(reconciler, {
      plans: { making: { ...first, goesOn: true }, mending: { ...plans.making, then: 'mended' } },
    });
  };
  const move = async (ctx: RequestContext, id: string): Promise<void> => {
    await transition(ctx, widgetStates, id, 'fail');
    await transition(ctx, widgetStates, id, 'mend');
  };

  it('has the next state worked on in the same run', async () => {
    const id = await widgets.insert();
    expect(await runReconciler(goingOn(), widgets.ctx, id, 0, { logger })).toBe('done');
    expect(await widgets.read(id)).toMatchObject({ state: 'there', previousState: 'mending' });
  });

  it('gives the next state the time that is its own', async () => {
    const id = await widgets.insert({ stateDeadline: new Date(Date.now() + 30_000) });
    let left = 0;
    reconciler.cut = ({ row }) => {
      left = Number(row.stateDeadline) - Date.now();
      return Promise.resolve();
    };
    await runReconciler(goingOn(), widgets.ctx, id, 0, { logger });
    expect(left).toBeGreaterThan(50_000);
  });

  it('stops at a phase that waits', async () => {
    const id = await widgets.insert();
    const plans = {
      making: { phases: [phase('wait', () => Promise.resolve({ waitMs: 1 }))], goesOn: true },
    };
    const waiting = Object.assign(reconciler, { plans });
    expect(await runReconciler(waiting, widgets.ctx, id, 0, { logger })).toBe('waiting');
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
  });
});

describe('the end of the work', () => {
  /** Renames the widget to the event, as a part of its end. */
  const renaming = async (tx: RequestContext, id: string, event: string): Promise<void> => {
    await tx.manager.query('UPDATE widgets SET name = $2 WHERE id = $1', [id, event]);
  };

  it('takes what else changes along, well or not', async () => {
    reconciler.ended = renaming;
    const id = await widgets.insert();
    await run(id);
    expect(await widgets.read(id)).toMatchObject({ state: 'there', name: 'made' });
    reconciler.glue = failing(never);
    const failed = await widgets.insert();
    await run(failed);
    expect(await widgets.read(failed)).toMatchObject({ state: 'broken', name: 'fail' });
  });

  it('does not come where what else changes cannot', async () => {
    const id = await widgets.insert();
    reconciler.ended = async (tx, ...rest) => {
      await renaming(tx, ...rest);
      throw notNow;
    };
    await run(id);
    expect(await widgets.read(id)).toMatchObject({ state: 'making', name: id });
  });
});

describe('a worker that stops', () => {
  it('asks the phase to end, and the row is worked on by the next one', async () => {
    const id = await widgets.insert();
    const stopping = new AbortController();
    reconciler.glue = ({ signal }) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        stopping.abort();
      });
    await runReconciler(reconciler, widgets.ctx, id, 0, { logger, stopping: stopping.signal });
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
    expect(await onlyJob()).toMatchObject({ id });
  });
});

describe('a failure that may pass', () => {
  it.each([
    { before: 0, attempt: 1, delayMs: 250 },
    { before: 30, attempt: 31, delayMs: 15_000 },
  ])('is tried again, later each time, without a limit: $attempt', async ({ before, ...next }) => {
    const id = await widgets.insert({ stateDeadline: new Date(Date.now() + 3_600_000) });
    reconciler.cut = failing(notNow);
    await run(id, before);
    const { delayMs, attempt } = await onlyJob();
    expect(attempt).toBe(next.attempt);
    expect(delayMs).toBeCloseTo(next.delayMs, -1);
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
  });

  it.each(['transient', 'unavailable'] as const)('is of kind %s', async (kind) => {
    const id = await widgets.insert();
    reconciler.cut = failing(new DomainError(kind, 'Not now.'));
    expect(await run(id)).toBe('retried');
  });

  it('is never tried past the deadline', async () => {
    const id = await widgets.insert({ stateDeadline: new Date(Date.now() + 5_000) });
    reconciler.cut = failing(notNow);
    await run(id, 30);
    expect((await onlyJob()).delayMs).toBeLessThanOrEqual(5_000);
  });
});

describe('a failure for good', () => {
  it('gives back all, and tells the owner why', async () => {
    const id = await widgets.insert();
    reconciler.glue = failing(never);
    await run(id);
    expect(reconciler.ran).toEqual(['cut', 'glue', 'putBack', 'sweepUp']);
    expect(await widgets.read(id)).toMatchObject({
      state: 'broken',
      stateReason: 'The wood is rotten.',
      stateDeadline: null,
    });
    expect(await jobsOf(widgets.dataSource)).toEqual([]);
  });

  it.each(['invalid', 'forbidden', 'not-found', 'gone', 'quota-exhausted', 'unsupported'] as const)(
    'is what a sister service refuses, of kind %s, at once and in its words',
    async (kind) => {
      const id = await widgets.insert();
      reconciler.cut = failing(new DomainError(kind, 'The network service refused: no address.'));
      expect(await run(id)).toBe('failed');
      expect(await widgets.read(id)).toMatchObject({
        state: 'broken',
        stateReason: 'The network service refused: no address.',
      });
    },
  );

  it('is the event that the plan names', async () => {
    const { making } = reconciler.plans;
    const mending = Object.assign(reconciler, {
      plans: { mending: { phases: making?.phases ?? [], failure: 'failMending' } },
    });
    reconciler.glue = failing(never);
    const id = await widgets.insert({ state: 'mending' });
    expect(await runReconciler(mending, widgets.ctx, id, 0, { logger })).toBe('failed');
    expect(await widgets.read(id)).toMatchObject({ state: 'worn' });
  });

  it('gives back the rest where one thing cannot be', async () => {
    const id = await widgets.insert();
    reconciler.glue = failing(never);
    reconciler.putBack = failing(new Error('stuck'));
    await run(id);
    expect(reconciler.ran).toEqual(['cut', 'glue', 'putBack', 'sweepUp']);
    expect(await widgets.read(id)).toMatchObject({ state: 'broken' });
  });

  it('ends also where giving back hangs', async () => {
    const id = await widgets.insert();
    reconciler.glue = failing(never);
    reconciler.putBack = () => new Promise<void>(() => undefined);
    await run(id, 0, 50);
    expect(await widgets.read(id)).toMatchObject({ state: 'broken' });
  });

  it('is an unknown error at its third time, and its text stays private', async () => {
    const id = await widgets.insert();
    reconciler.cut = failing(new Error('password=hunter2'));
    await run(id, 2);
    expect(await onlyJob()).toMatchObject({ attempt: 3 });
    await run(id, 3);
    const { state, stateReason } = await widgets.read(id);
    expect(state).toBe('broken');
    expect(stateReason).toMatch(/^An unexpected error occurred/);
  });
});

describe('the log of a final failure', () => {
  const logOf = async (error: Error, attempt = 3): Promise<Record<string, unknown>> => {
    const lines: string[] = [];
    const id = await widgets.insert();
    reconciler.glue = failing(error);
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    await runReconciler(reconciler, widgets.ctx, id, attempt, { logger });
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  };

  it('is the reason alone, where it is for the caller to mend', async () => {
    const refused = new DomainError('invalid', 'That is no wood.', { cause: new Error('iron') });
    const line = await logOf(refused);
    expect(line).toMatchObject({
      level: 'info',
      resource: 'widget',
      error: 'DomainError',
      reason: 'That is no wood.',
      cause: 'iron',
    });
    expect(JSON.stringify(line)).not.toContain('run-reconciler');
  });

  it.each([
    ['an error that nobody knows', new Error('the saw broke')],
    ['a mistake of our own', new DomainError('bug', 'No saw was bought.')],
    ['for the operator', new DomainError('too-large', 'No room.', { forOperator: true })],
  ])('is an error with its stack, where it is %s', async (_, error) => {
    const line = await logOf(error);
    expect(line).toMatchObject({ level: 'error', err: { message: error.message } });
    expect(JSON.stringify(line)).toContain('run-reconciler');
  });
});

describe('the deadline', () => {
  it('ends a phase that hangs', async () => {
    // The phase before it is to be done by then, on a busy machine too.
    const id = await widgets.insert({ stateDeadline: new Date(Date.now() + 3_000) });
    let aborted: unknown;
    reconciler.glue = ({ signal }) =>
      new Promise<void>(() => {
        signal.addEventListener('abort', () => {
          aborted = signal.reason;
        });
      });
    await run(id);
    expect(aborted).toBeInstanceOf(DomainError);
    expect(await widgets.read(id)).toMatchObject({
      state: 'broken',
      stateReason: 'did not finish in time, at glue',
    });
    expect(reconciler.ran).toContain('putBack');
  });

  it('is over before the first phase where nobody came in time', async () => {
    const id = await widgets.insert({ stateDeadline: new Date(Date.now() - 1) });
    await run(id);
    expect(reconciler.ran).toEqual(['putBack', 'sweepUp']);
    expect(await widgets.read(id)).toMatchObject({ state: 'broken' });
  });
});
