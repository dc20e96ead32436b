/** A stack's actions in the suite of all reconcilers, with workers for its resources. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Reconciler } from '@cumulet/common/reconcile/reconciler';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';
import { workOnResources, workThrough } from './work-through.fixture.js';
import type { Stack } from '../rows/stack.entity.js';
import type { StackEvent, StackState } from '../rows/stack.states.js';

const things = new TestThings();
let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [things.type] });
});
afterAll(() => engine.stop());

const first = template({ a: { properties: { fixed: 1 } }, b: { requires: ['a'] }, c: {} });
/** `a` is replaced, `c` is deleted. */
const second = template({ a: { properties: { fixed: 2 } }, b: { requires: ['a'] } });

/** The resources have worked whenever the stack is examined. */
function reconciler(): Reconciler<Stack, StackState, StackEvent> {
  const { stackReconciler } = engine;
  return {
    states: stackReconciler.states,
    plans: stackReconciler.plans,
    taskOf: () => stackReconciler.taskOf(),
    ended: (...end) => stackReconciler.ended(...end),
    async load(ctx, id) {
      await workOnResources(engine, id);
      return stackReconciler.load(ctx, id);
    },
  };
}

async function arranged(next?: (stack: Stack) => Promise<void>): Promise<string> {
  things.clear();
  const stack = await engine.create(first);
  if (next) {
    await workThrough(engine, stack);
    await next(stack);
  }
  return stack.id;
}

async function expectComplete(id: string, count: number): Promise<void> {
  expect(await engine.get(id)).toMatchObject({ state: 'complete', remaining: 0 });
  const rows = await engine.stacks.resources(engine.ctx, id);
  const ids = rows.map(({ physicalId }) => physicalId);
  expect([...things.things.keys()].sort()).toEqual(ids.sort());
  expect(ids).toHaveLength(count);
}

const common = {
  state: 'in_progress',
  phases: ['plan', 'waitApplied', 'planRemoval', 'waitRemoved', 'endTrusts', 'settle'],
  reconciler,
  ctx: () => engine.ctx,
  world: () => [...things.things.keys()],
  async expectFailed(id: string, reason: string) {
    const stack = await engine.get(id);
    expect(stack.state).toBe('failed');
    expect(stack.stateReason).toContain(reason);
  },
} as const;

const cases = [
  { arrange: () => arranged(), expectDone: (id: string) => expectComplete(id, 3) },
  {
    arrange: () => arranged((stack) => engine.update(stack, second)),
    expectDone: (id: string) => expectComplete(id, 2),
  },
  {
    arrange: () => arranged((stack) => engine.act(stack, 'DELETE')),
    async expectDone(id: string) {
      expect(await engine.stacks.find(engine.ctx, id)).toBeUndefined();
      expect(things.things.size).toBe(0);
    },
  },
];

for (const each of cases) reconcilerSuite<Stack, StackState, StackEvent>({ ...common, ...each });
