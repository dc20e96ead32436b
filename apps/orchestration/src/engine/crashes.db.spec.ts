/** Crashes at random moments: nothing is created twice, stuck, or left behind. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler, SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';
import type { Stack } from '../rows/stack.entity.js';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';
import { workOnResources, workThrough } from './work-through.fixture.js';

const logger = createLogger('test', 'silent');
const things = new TestThings();
let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [things.type] });
});
afterAll(() => engine.stop());

beforeEach(() => {
  things.before = things.after = () => undefined;
});

async function work(stack: Stack, crash: () => void): Promise<void> {
  things.before = things.after = crash;
  await workThrough(engine, stack, crash);
}

/** Crashes at about one in `every` moments, reproducibly for a seed. */
function dying(seed: number, every: number): () => void {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    if (Math.floor(state / 65_536) % every === 0) throw new SimulatedCrash();
  };
}

const first = template({
  a: { properties: { value: 1, fixed: 1 } },
  b: { properties: { value: { attr: ['a', 'id'] } } },
  c: { requires: ['b'] },
});
const second = template({
  a: { properties: { value: 1, fixed: 2 } },
  b: { properties: { value: { attr: ['a', 'id'] } } },
  d: { requires: ['a'] },
});

describe('a stack whose workers crash', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => ({ seed: seed * 7_919 + 1 })))(
    'is created, updated and deleted without duplicates (seed $seed)',
    async ({ seed }) => {
      things.things.clear();
      things.log.length = 0;
      const crash = dying(seed, 4);
      const stack = await engine.create(first);
      await work(stack, crash);
      expect(await engine.get(stack.id)).toMatchObject({ action: 'CREATE', state: 'complete' });
      expect(things.things.size).toBe(3);
      await engine.update(stack, second);
      await work(stack, crash);
      expect(await engine.get(stack.id)).toMatchObject({ action: 'UPDATE', state: 'complete' });
      expect(things.things.size).toBe(3);
      const rows = await engine.stacks.resources(engine.ctx, stack.id);
      const physicalIds = rows.map(({ physicalId }) => physicalId).sort();
      expect(physicalIds).toEqual([...things.things.keys()].sort());
      await engine.act(stack, 'DELETE');
      await work(stack, crash);
      expect(things.things.size).toBe(0);
      expect(await engine.stacks.find(engine.ctx, stack.id)).toBeUndefined();
    },
  );

  it.each(Array.from({ length: 6 }, (_, seed) => ({ seed: seed * 104_729 + 3 })))(
    'is superseded in the middle of an action (seed $seed)',
    async ({ seed }) => {
      things.things.clear();
      const crash = dying(seed, 3);
      const stack = await engine.create(first);
      // Only a few moments of the creation.
      await runReconciler(engine.stackReconciler, engine.ctx, stack.id, 0, { logger });
      await workOnResources(engine, stack.id, crash);
      await engine.update(stack, second);
      await work(stack, crash);
      expect(things.things.size).toBe(3);
      await engine.act(stack, 'DELETE');
      await work(stack, crash);
      expect(things.things.size).toBe(0);
    },
  );
});
