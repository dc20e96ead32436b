/** Each goal of a resource in the suite of all reconcilers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { Table } from '@cumulet/common/tables/table';
import { reconcilerSuite, type ReconcilerCase } from '@cumulet/testing/reconciler-suite';
import { TestEngine } from './engine.fixture.js';
import type { ActionColumns } from './start-action.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';
import { workThrough } from './work-through.fixture.js';
import { StackSnapshot, type StackSnapshotId } from '../rows/stack-snapshot.entity.js';
import type { Stack } from '../rows/stack.entity.js';
import type { StackAction } from '../rows/stack.states.js';
import type { LoadedResource } from '../rows/stack-resource.entity.js';
import type { ResourceEvent, ResourceState } from '../rows/stack-resource.states.js';

const logger = createLogger('test', 'silent');
const snapshots = new Table(StackSnapshot, {
  missing: () => new Error('no such snapshot') as never,
});
const things = new TestThings();
let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [things.type] });
});
afterAll(() => engine.stop());

/** A stack with one resource that still has the work of the last action. */
async function given(...actions: StackAction[]): Promise<string> {
  const stack = await engine.create(template({ a: { properties: { value: 1 } } }));
  for (const action of actions) {
    await workThrough(engine, stack);
    await engine.act(stack, action, action === 'SNAPSHOT' ? await snapshotOf(stack) : {});
  }
  await runReconciler(engine.stackReconciler, engine.ctx, stack.id, 0, { logger });
  const [row] = await engine.stacks.resources(engine.ctx, stack.id);
  return row?.id ?? '';
}

/** Columns of an action on a snapshot. */
async function snapshotOf({ id, projectId }: Stack): Promise<ActionColumns> {
  const snapshot = asId<StackSnapshotId>(randomUUID());
  await snapshots.insert(engine.ctx, { id: snapshot, stackId: id, projectId, name: null });
  return { data: { snapshotId: snapshot } };
}

type Case = ReconcilerCase<LoadedResource, ResourceState, ResourceEvent>;

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

/** For a resource that does not change. */
const staying = (action: StackAction, ...before: StackAction[]): Omit<Case, 'state'> => ({
  ...common,
  phases: ['begin', 'ask', 'await', 'settle'],
  arrange: () => given(...before, action),
  async expectDone(id) {
    const told = { action, status: 'COMPLETE', state: 'settled' };
    expect(await engine.rows.load(engine.ctx, id)).toMatchObject(told);
    expect(things.things.get(`thing-${id}`)?.isSuspended).toBe(action === 'SUSPEND');
  },
});

const cases: readonly Case[] = [
  {
    ...common,
    state: 'applying',
    phases: ['finish', 'begin', 'ask', 'await', 'settle'],
    arrange: () => given(),
    async expectDone(id) {
      const row = await engine.rows.load(engine.ctx, id);
      expect(row).toMatchObject({ state: 'settled', action: 'CREATE', status: 'COMPLETE' });
      expect(things.things.has(row?.physicalId ?? '')).toBe(true);
    },
  },
  {
    ...common,
    state: 'removing',
    phases: ['learn', 'begin', 'keepSnapshot', 'remove', 'await', 'forget'],
    arrange: () => given('DELETE'),
    async expectDone(id) {
      expect(await engine.rows.load(engine.ctx, id)).toBeUndefined();
      expect(things.things.has(`thing-${id}`)).toBe(false);
    },
  },
  { ...staying('CHECK'), state: 'checking' },
  { ...staying('SUSPEND'), state: 'suspending' },
  { ...staying('RESUME', 'SUSPEND'), state: 'resuming' },
  { ...staying('SNAPSHOT'), state: 'snapshotting' },
];

for (const each of cases) reconcilerSuite(each);
