/** A crash at each moment of a stack with a nested stack. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type UserId } from '@cumulet/common/context/ids';
import type { ReadTemplate } from '../template/read-template.js';
import type { Stack } from '../rows/stack.entity.js';
import { Moments } from './moments.fixture.js';
import { NESTED } from './nested-things.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError } from './test-things.fixture.js';

const moments = new Moments(process.env['CHAOS_MOMENTS']);
beforeAll(() => moments.start());
afterAll(() => moments.stop());

const { things } = moments;
const LONG = 600_000;

const above = (fixed: number, value = 1): ReadTemplate =>
  template({
    below: {
      type: NESTED,
      properties: { resources: { inner: { properties: { fixed, value } } } },
    },
    last: { requires: ['below'] },
  });

async function made(): Promise<Stack> {
  const stack = await moments.engine.create(above(1));
  await moments.settle();
  return stack;
}

async function stacksOf({ id }: Stack): Promise<Stack[]> {
  const { engine } = moments;
  return engine.dataSource.getRepository('stacks').find({ where: { rootId: id } }) as Promise<
    Stack[]
  >;
}

async function expectWhole(stack: Stack, action: Stack['action'], count = 2): Promise<void> {
  expect(await moments.engine.get(stack.id)).toMatchObject({ action, state: 'complete' });
  const all = await stacksOf(stack);
  expect(all).toHaveLength(count);
  expect(all.every(({ state }) => state === 'complete')).toBe(true);
  expect(things.things.size).toBe(count);
}

describe('a process that crashes', () => {
  it(
    'at each moment of a creation',
    async () => {
      await moments.each({
        arrange: () => moments.engine.create(above(1)),
        expected: (stack) => expectWhole(stack, 'CREATE'),
      });
    },
    LONG,
  );

  it(
    'at each moment of an update that replaces a nested stack',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await made();
          await moments.engine.update(stack, above(2));
          return stack;
        },
        expected: (stack) => expectWhole(stack, 'UPDATE'),
      });
    },
    LONG,
  );

  it(
    'at each moment of a deletion',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await made();
          await moments.engine.act(stack, 'DELETE');
          return stack;
        },
        expected: async (stack) => {
          expect(await stacksOf(stack)).toEqual([]);
          expect(things.things.size).toBe(0);
        },
      });
    },
    LONG,
  );

  it(
    'at each moment of an update that fails in a nested stack and is rolled back',
    async () => {
      await moments.each({
        arrange: async () => {
          const stack = await moments.engine.create(above(1), { disableRollback: false });
          await moments.settle();
          things.failures.set('update inner', new RefusedError('Full.'));
          await moments.engine.update(stack, above(1, 2));
          return stack;
        },
        expected: async (stack) => {
          things.failures.clear();
          expect(await moments.engine.get(stack.id)).toMatchObject({ action: 'ROLLBACK' });
        },
      });
    },
    LONG,
  );
});

describe('a nested stack', () => {
  it('has the user of its owner, whoever works on it', async () => {
    const owner = { userId: asId<UserId>('of-alice'), userName: 'alice' };
    const stack = await moments.engine.create(above(1), owner);
    await moments.settle();
    const both = await stacksOf(stack);
    expect(both).toEqual([expect.objectContaining(owner), expect.objectContaining(owner)]);
    await moments.engine.act(stack, 'DELETE');
    await moments.settle();
  });

  it('is replaced if it is gone', async () => {
    const stack = await made();
    const [, below] = (await stacksOf(stack)).sort(
      (one, other) => one.nestedDepth - other.nestedDepth,
    );
    if (!below) throw new Error('there is none');
    await moments.engine.act(below, 'DELETE');
    await moments.settle();
    await moments.engine.update(stack, above(1, 2));
    await moments.settle();
    await expectWhole(stack, 'UPDATE');
    await moments.engine.act(stack, 'DELETE');
    await moments.settle();
    expect(things.things.size).toBe(0);
  });
});
