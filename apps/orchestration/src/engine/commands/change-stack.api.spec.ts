/** Requests about a stack whose action ends between reading the stack and locking it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../rows/stack.entity.js';
import type { JsonObject } from '../../json/json.js';
import { CommandedStacks, hot } from '../commanded-stacks.fixture.js';

let started: CommandedStacks;
/** As it was read while it was updated to the template '2'. */
let updating: Stack;

beforeAll(async () => {
  started = await CommandedStacks.start();
});
afterAll(() => started.stop());

const template = (value: string, fail = false): JsonObject =>
  hot(
    { one: { type: 'OS::Heat::TestResource', properties: { value, fail } } },
    { one: { get_attr: ['one', 'output'] } },
  );

describe('once the update of a stack has ended', () => {
  let name = 0;

  beforeEach(async () => {
    const { creating, changing, ctx } = started;
    const stack = await creating.create(ctx, { name: `s${(name += 1)}`, template: template('1') });
    const created = await started.settled(stack);
    if (!created) throw new Error('gone');
    updating = await changing.update(ctx, created, { template: template('2') });
    expect(await started.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
  });

  it('another one is rolled back to it', async () => {
    const { changing, ctx } = started;
    await changing.update(ctx, updating, { template: template('3', true), disableRollback: false });
    expect(await started.settled(updating)).toMatchObject({
      action: 'ROLLBACK',
      state: 'complete',
    });
    expect(await started.outputs(updating)).toEqual({ one: '2' });
  });

  it('it is not cancelled any more', async () => {
    const { acting, ctx } = started;
    await expect(acting.cancelUpdate(ctx, updating)).rejects.toThrow(
      'Cancelling update when stack is UPDATE_COMPLETE',
    );
    expect(await started.outputs(updating)).toEqual({ one: '2' });
  });
});
