/** A new action at each moment of one in progress: the stack ends as the new one says. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadTemplate } from '../template/read-template.js';
import type { Stack } from '../rows/stack.entity.js';
import { Moments } from './moments.fixture.js';
import { OTHER } from './other-things.fixture.js';
import { template } from './template.fixture.js';

const moments = new Moments(process.env['CHAOS_MOMENTS']);
beforeAll(() => moments.start());
afterAll(() => moments.stop());

const LONG = 600_000;

const pair = (fixed: number, type = 'Test::Thing'): ReadTemplate =>
  template({
    a: { type, properties: { fixed, port: 'p' } },
    b: { properties: { value: { attr: ['a', 'id'] } } },
  });

async function made(): Promise<Stack> {
  const stack = await moments.engine.create(pair(1));
  await moments.settle();
  return stack;
}

async function updating(read: ReadTemplate): Promise<Stack> {
  const stack = await made();
  await moments.engine.update(stack, read);
  return stack;
}

/** The stack is complete, with resources of this type and no others. */
async function expectPair(stack: Stack, type: string): Promise<void> {
  const { engine, things } = moments;
  expect(await engine.get(stack.id)).toMatchObject({ state: 'complete' });
  const rows = await engine.stacks.resources(engine.ctx, stack.id);
  expect(rows.map(({ name }) => name).sort()).toEqual(['a', 'b']);
  const a = rows.find(({ name }) => name === 'a');
  expect(a?.type).toBe(type);
  expect(a?.physicalId?.startsWith('other-')).toBe(type === OTHER);
  expect([...things.things.keys()].sort()).toEqual(rows.map((one) => one.physicalId).sort());
  expect(things.things.get(a?.physicalId ?? '')?.port).toBe('p');
}

async function expectGone({ id }: Stack): Promise<void> {
  expect(await moments.engine.stacks.find(moments.engine.ctx, id)).toBeUndefined();
  expect(moments.things.things.size).toBe(0);
}

describe('at each moment of a creation', () => {
  it(
    'an update takes over',
    async () => {
      await moments.each({
        arrange: () => moments.engine.create(pair(1)),
        meanwhile: (stack) => moments.engine.update(stack, pair(2)),
        expected: (stack) => expectPair(stack, 'Test::Thing'),
      });
    },
    LONG,
  );

  it(
    'an update to another type takes over',
    async () => {
      await moments.each({
        arrange: () => moments.engine.create(pair(1)),
        meanwhile: (stack) => moments.engine.update(stack, pair(1, OTHER)),
        expected: async (stack) => {
          const { action } = await moments.engine.get(stack.id);
          await expectPair(stack, action === 'UPDATE' ? OTHER : 'Test::Thing');
        },
      });
    },
    LONG,
  );
});

describe('at each moment of an update', () => {
  it(
    'another update takes over',
    async () => {
      await moments.each({
        arrange: () => updating(pair(2)),
        meanwhile: (stack) => moments.engine.update(stack, pair(3)),
        expected: (stack) => expectPair(stack, 'Test::Thing'),
      });
    },
    LONG,
  );

  it(
    'the former template takes over',
    async () => {
      await moments.each({
        arrange: () => updating(pair(2, OTHER)),
        meanwhile: (stack) => moments.engine.update(stack, pair(1)),
        expected: async (stack) => {
          const rows = await moments.engine.stacks.resources(moments.engine.ctx, stack.id);
          await expectPair(stack, rows.find(({ name }) => name === 'a')?.type ?? '');
        },
      });
    },
    LONG,
  );

  it(
    'a deletion takes over',
    async () => {
      await moments.each({
        arrange: () => updating(pair(1, OTHER)),
        meanwhile: (stack) => moments.engine.act(stack, 'DELETE'),
        expected: async (stack) => {
          const found = await moments.engine.stacks.find(moments.engine.ctx, stack.id);
          // It came after the last moment.
          if (found?.action === 'UPDATE') await expectPair(stack, OTHER);
          else await expectGone(stack);
        },
      });
    },
    LONG,
  );
});

describe('an update after an interrupted one', () => {
  it('starts from the real resources, not from the interrupted definitions', async () => {
    moments.things.clear();
    const stack = await updating(pair(1, OTHER));
    // Only the last of these is planned.
    await moments.engine.update(stack, pair(2, OTHER));
    await moments.engine.update(stack, pair(3, OTHER));
    await moments.settle();
    await expectPair(stack, OTHER);
    await moments.engine.act(stack, 'DELETE');
    await moments.settle();
    await expectGone(stack);
  });
});
