/** Transactions that write several rows of one stack wait for each other without a deadlock. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { createLogger } from '@cumulet/common/observe/logger';
import { endPlan } from '@cumulet/common/reconcile/end-plan';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { eventually } from '@cumulet/testing/settle';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import { ResourceEndRepository } from '../rows/resource-end.repository.js';
import type { LoadedResource } from '../rows/stack-resource.entity.js';
import type { Stack } from '../rows/stack.entity.js';
import { TestEngine } from './engine.fixture.js';
import { Settling } from './goals/settle.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';

const things = new TestThings();
const logger = createLogger('test', 'silent');
let engine: TestEngine;
let stack: Stack;
let resource: LoadedResource;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [things.type] });
});
afterAll(() => engine.stop());

/** Both resources of the stack are being created. */
beforeEach(async () => {
  const made = await engine.create(template({ a: {}, b: {} }));
  await runReconciler(engine.stackReconciler, engine.ctx, made.id, 0, { logger });
  stack = await engine.get(made.id);
  const [first] = await engine.stacks.resources(engine.ctx, stack.id);
  const loaded = first && (await engine.rows.load(engine.ctx, first.id));
  if (!loaded) throw new Error('The stack has no resources.');
  resource = loaded;
});

/** Waits until the other transaction waits for a lock of this one. */
const otherWaits = (): Promise<void> =>
  eventually('the other transaction waits', async () => {
    const waiting: unknown[] = await engine.dataSource.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });

const failStack = (): Promise<void> =>
  endPlan(engine.stackReconciler, engine.ctx, stack, 'fail', 'Out of time.', logger);

describe('a stack that fails while one of its resources', () => {
  it('settles does not deadlock', async () => {
    const stacks = new StackWorkRepository();
    const count = stacks.count.bind(stacks);
    let failing: Promise<void> | undefined;
    // Holds the lock of the resource's row, and not yet the stack's.
    stacks.count = async (tx: RequestContext, row: LoadedResource) => {
      failing = failStack();
      await otherWaits();
      return count(tx, row);
    };
    await new Settling(engine.rows, new ResourceEndRepository(), stacks).settle(
      engine.ctx,
      resource,
      undefined,
    );
    await failing;
    expect(await engine.get(stack.id)).toMatchObject({ state: 'failed', remaining: 1 });
  });

  it('fails does not deadlock', async () => {
    const { resourceReconciler } = engine;
    let failing: Promise<void> | undefined;
    const slow = Object.assign(Object.create(resourceReconciler) as typeof resourceReconciler, {
      async ended(...end: Parameters<typeof resourceReconciler.ended>) {
        failing = failStack();
        await otherWaits();
        return resourceReconciler.ended(...end);
      },
    });
    await endPlan(slow, engine.ctx, resource, 'fail', 'Refused.', logger);
    await failing;
    expect(await engine.get(stack.id)).toMatchObject({ state: 'failed' });
    expect(await engine.rows.load(engine.ctx, resource.id)).toMatchObject({ status: 'FAILED' });
  });
});

it('cancelling a stack waits for a resource that settles', async () => {
  const stacks = new StackWorkRepository();
  const count = stacks.count.bind(stacks);
  let cancelling: Promise<void> | undefined;
  stacks.count = async (tx: RequestContext, row: LoadedResource) => {
    cancelling = inTransaction(engine.ctx, (other) => engine.end.cancel(other, stack, 5));
    await otherWaits();
    return count(tx, row);
  };
  await new Settling(engine.rows, new ResourceEndRepository(), stacks).settle(
    engine.ctx,
    resource,
    undefined,
  );
  await cancelling;
  expect(await engine.get(stack.id)).toMatchObject({ state: 'failed' });
});
