/** A crash at each moment of a stack's life: nothing is stuck, lost, or created twice. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StackAction } from '../rows/stack.states.js';
import type { Stack } from '../rows/stack.entity.js';
import { Moments } from './moments.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError } from './test-things.fixture.js';

const moments = new Moments(process.env['CHAOS_MOMENTS']);
beforeAll(() => moments.start());
afterAll(() => moments.stop());

const { things } = moments;
const LONG = 600_000;

const first = template({
  a: { properties: { value: 1, fixed: 1, port: 'p' } },
  b: { properties: { value: { attr: ['a', 'id'] } } },
  c: { requires: ['b'], properties: { value: 1 } },
  d: {},
});
/** `a` is replaced, `b` refers to it, `c` is updated, `d` is deleted, `e` is created. */
const second = template({
  a: { properties: { value: 1, fixed: 2, port: 'p' } },
  b: { properties: { value: { attr: ['a', 'id'] } } },
  c: { requires: ['b'], properties: { value: 2 } },
  e: { requires: ['a'] },
});

async function made(read = first, fields: Partial<Stack> = {}): Promise<Stack> {
  const stack = await moments.engine.create(read, fields);
  await moments.settle();
  return stack;
}

async function acted(action: StackAction): Promise<Stack> {
  const stack = await made();
  await moments.engine.act(stack, action);
  return stack;
}

/** The stack has these resources and no others. */
async function expectStack(
  stack: Stack,
  action: StackAction,
  state: Stack['state'],
  count: number,
): Promise<void> {
  const { engine } = moments;
  expect(await engine.get(stack.id)).toMatchObject({ action, state });
  const rows = await engine.stacks.resources(engine.ctx, stack.id);
  const ids = rows.flatMap(({ physicalId }) => (physicalId === null ? [] : [physicalId]));
  expect([...things.things.keys()].sort()).toEqual(ids.sort());
  expect(things.things.size).toBe(count);
  expect(rows.every((row) => row.state === 'settled')).toBe(true);
}

const values = (): unknown[] => [...things.things.values()].map(({ value }) => value);
const holders = (): string[] =>
  [...things.things].flatMap(([id, { port }]) => (port === 'p' ? [id] : []));

async function isHolder(stack: Stack): Promise<boolean> {
  const rows = await moments.engine.stacks.resources(moments.engine.ctx, stack.id);
  const holder = rows.find(({ name, obsolete }) => name === 'a' && !obsolete);
  return holders().join() === holder?.physicalId;
}

describe('a process that crashes', () => {
  it(
    'at each moment of a creation',
    async () => {
      await moments.each({
        arrange: () => moments.engine.create(first),
        expected: (stack) => expectStack(stack, 'CREATE', 'complete', 4),
      });
    },
    LONG,
  );

  it(
    'at each moment of an update',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await made();
          await moments.engine.update(stack, second);
          return stack;
        },
        expected: async (stack) => {
          await expectStack(stack, 'UPDATE', 'complete', 4);
          expect(values()).toContain(2);
          expect(await isHolder(stack)).toBe(true);
        },
      });
    },
    LONG,
  );

  it(
    'at each moment of a deletion',
    async () => {
      await moments.each({
        arrange: () => acted('DELETE'),
        expected: async ({ id }) => {
          expect(await moments.engine.stacks.find(moments.engine.ctx, id)).toBeUndefined();
          expect(things.things.size).toBe(0);
        },
      });
    },
    LONG,
  );

  it.each(['SUSPEND', 'CHECK'] as const)(
    'at each moment of %s',
    async (action) => {
      await moments.each({
        arrange: () => acted(action),
        expected: (stack) => expectStack(stack, action, 'complete', 4),
      });
    },
    LONG,
  );

  it(
    'at each moment of RESUME',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await acted('SUSPEND');
          await moments.settle();
          await moments.engine.act(stack, 'RESUME');
          return stack;
        },
        expected: async (stack) => {
          await expectStack(stack, 'RESUME', 'complete', 4);
          expect([...things.things.values()].some(({ isSuspended }) => isSuspended)).toBe(false);
        },
      });
    },
    LONG,
  );

  it(
    'at each moment of a creation that is rolled back',
    async () => {
      await moments.each({
        arrange: () => {
          things.failures.set('create c', new RefusedError('Full.'));
          return moments.engine.create(first, { disableRollback: false });
        },
        expected: (stack) => expectStack(stack, 'ROLLBACK', 'complete', 0),
      });
    },
    LONG,
  );

  it(
    'at each moment of an update that is rolled back',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await made(first, { disableRollback: false });
          things.failures.set('create e', new RefusedError('Full.'));
          await moments.engine.update(stack, second);
          return stack;
        },
        expected: async (stack) => {
          await expectStack(stack, 'ROLLBACK', 'complete', 4);
          expect(values()).not.toContain(2);
          expect(await isHolder(stack)).toBe(true);
        },
      });
    },
    LONG,
  );
});
