/** Processes that die at any moment: nothing is made twice, nothing is stuck, nothing is left. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler, SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import type { LoadedResource } from '../stack-resources/loaded-resource.js';
import type { ResourceEvent, ResourceState } from '../stack-resources/stack-resource.states.js';
import type { Stack } from '../stacks/stack.entity.js';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';

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

/** Whoever is nudged works, one after the other, until the stack has settled. */
async function work({ id }: Stack, crash: () => void = () => undefined): Promise<void> {
  things.before = things.after = crash;
  for (let round = 0; round < 400; round += 1) {
    const stack = await engine.stacks.find(engine.ctx, id);
    if (stack?.state !== 'in_progress') return;
    await attempt(() => runReconciler(engine.stackReconciler, engine.ctx, id, 0, options(crash)));
    for (const row of await engine.stacks.resources(engine.ctx, id)) {
      if (row.state === 'settled' || row.state === 'waiting') continue;
      await attempt(() =>
        runReconciler(engine.resourceReconciler, engine.ctx, row.id, 0, options(crash)),
      );
    }
  }
  throw new Error('the stack has not settled');
}

const options = (beforePhase: () => void) => ({ logger, beforePhase });

async function attempt(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof SimulatedCrash)) throw error;
  }
}

/** Dies about as often as one in `every` moments, the same for the same seed. */
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

describe('a stack whose workers die', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => ({ seed: seed * 7_919 + 1 })))(
    'is created, updated and deleted, each thing once (seed $seed)',
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
    'is superseded half way (seed $seed)',
    async ({ seed }) => {
      things.things.clear();
      const crash = dying(seed, 3);
      const stack = await engine.create(first);
      // A few moments of the creation, and no more.
      await attempt(() =>
        runReconciler(engine.stackReconciler, engine.ctx, stack.id, 0, { logger }),
      );
      for (const row of await engine.stacks.resources(engine.ctx, stack.id))
        await attempt(() =>
          runReconciler(engine.resourceReconciler, engine.ctx, row.id, 0, options(crash)),
        );
      await engine.update(stack, second);
      await work(stack, crash);
      expect(things.things.size).toBe(3);
      await engine.act(stack, 'DELETE');
      await work(stack, crash);
      expect(things.things.size).toBe(0);
    },
  );
});

/** A stack of one resource, which has been given work and not done it. */
async function planned(action?: 'DELETE' | 'SUSPEND'): Promise<string> {
  const stack = await engine.create(template({ a: { properties: { value: 1 } } }));
  if (action) {
    await work(stack);
    await engine.act(stack, action);
  }
  await runReconciler(engine.stackReconciler, engine.ctx, stack.id, 0, { logger });
  const [row] = await engine.stacks.resources(engine.ctx, stack.id);
  return row?.id ?? '';
}

const common = {
  reconciler: () => engine.resourceReconciler,
  ctx: () => engine.ctx,
  world: (id: string) => things.things.get(`thing-${id}`),
  expectFailed: async (id: string, reason: string) => {
    const row = await engine.rows.load(engine.ctx, id);
    expect(row).toMatchObject({ status: 'FAILED', state: 'settled' });
    expect(row?.reason).toContain(reason);
  },
};

reconcilerSuite<LoadedResource, ResourceState, ResourceEvent>({
  ...common,
  state: 'applying',
  phases: ['finish', 'begin', 'ask', 'await', 'settle'],
  arrange: () => planned(),
  expectDone: async (id) => {
    const row = await engine.rows.load(engine.ctx, id);
    expect(row).toMatchObject({ state: 'settled', action: 'CREATE', status: 'COMPLETE' });
    expect(things.things.has(row?.physicalId ?? '')).toBe(true);
  },
});

reconcilerSuite<LoadedResource, ResourceState, ResourceEvent>({
  ...common,
  state: 'removing',
  phases: ['learn', 'begin', 'keepSnapshot', 'remove', 'await', 'forget'],
  arrange: () => planned('DELETE'),
  expectDone: async (id) => {
    expect(await engine.rows.load(engine.ctx, id)).toBeUndefined();
    expect(things.things.has(`thing-${id}`)).toBe(false);
  },
});

reconcilerSuite<LoadedResource, ResourceState, ResourceEvent>({
  ...common,
  state: 'suspending',
  phases: ['begin', 'ask', 'await', 'settle'],
  arrange: () => planned('SUSPEND'),
  expectDone: async (id) => {
    expect(await engine.rows.load(engine.ctx, id)).toMatchObject({
      action: 'SUSPEND',
      state: 'settled',
    });
    expect(things.things.get(`thing-${id}`)?.isSuspended).toBe(true);
  },
});
