/**
 * Stored signals of wait condition handles: their limits, and a cost that does not grow with their
 * number.
 */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { preparedRows } from '@cumulet/common/database/rows';
import { CommandedStacks, hot } from '../engine/commanded-stacks.fixture.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import type { Stack } from '../rows/stack.entity.js';
import type { Json, JsonObject } from '../json/json.js';

let started: CommandedStacks;
let stack: Stack;

const BOUNDS = { maxSignals: 4, maxSignalBytes: 2_000, maxStackSignalBytes: 3_000 };

beforeAll(async () => {
  started = await CommandedStacks.start(BOUNDS);
});
afterAll(() => started.stop());

beforeEach(async () => {
  const handle = { type: 'OS::Heat::WaitConditionHandle' };
  stack = await started.creating.create(started.ctx, {
    name: 'signalled',
    template: hot({ one: handle, two: handle }),
  });
  await started.settled(stack);
});
afterEach(() => started.remove(stack));

const rowOf = async (name: string): Promise<StackResource> => {
  const rows = await started.stacks.resources(started.ctx, stack.id);
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`There is no ${name}.`);
  return row;
};

const signal = async (details: JsonObject, name = 'one'): Promise<void> =>
  started.signals.signal(started.ctx, await rowOf(name), details);

const metadataOf = async (name: string): Promise<Json> =>
  started.reading.metadataOf(started.ctx, await rowOf(name));

const events = async (): Promise<number> => {
  const sql = `SELECT 1 FROM stack_events WHERE stack_id = $1 AND action = 'SIGNAL'`;
  return (await preparedRows(started.ctx.manager, sql, [stack.id])).length;
};

const ofBytes = (bytes: number): string => 'x'.repeat(bytes);

describe('signals', () => {
  it('are shown in the metadata of their handle, but stored apart from its row', async () => {
    const before = await rowOf('one');
    await signal({ data: 'first' });
    await signal({ id: 'named', data: { a: [1] } });
    await signal({ id: 'named', data: 'again', reason: 'r' });
    expect(await metadataOf('one')).toEqual({
      1: { status: 'SUCCESS', reason: 'Signal 1 received', data: 'first' },
      named: { status: 'SUCCESS', reason: 'r', data: 'again' },
    });
    expect(await rowOf('one')).toEqual(before);
    expect(await events()).toBe(3);
  });

  it('that arrive together are all stored, each with its own number', async () => {
    await Promise.all([1, 2, 3, 4].map(() => signal({})));
    expect(Object.keys((await metadataOf('one')) as JsonObject)).toEqual(['1', '2', '3', '4']);
  });

  it.each<[string, readonly JsonObject[], JsonObject, string, string?]>([
    [
      'more than a handle keeps',
      [{}, {}, {}, {}],
      {},
      'Request limit exceeded: Resource one keeps at most 4 signals.',
    ],
    [
      'one too large for its handle',
      [],
      { data: ofBytes(2_000) },
      'Request limit exceeded: Signals of resource one exceed maximum allowed size (2060 of 2000 bytes).',
    ],
    [
      'more bytes than a handle keeps',
      [{ data: ofBytes(1_500) }],
      { data: ofBytes(500) },
      'exceed maximum allowed size (2120 of 2000 bytes).',
    ],
    [
      'one that replaces another by more bytes than a handle keeps',
      [{ id: 'a', data: ofBytes(1_500) }],
      { id: 'a', data: ofBytes(2_000) },
      'exceed maximum allowed size (2060 of 2000 bytes).',
    ],
    [
      'more bytes than a stack keeps',
      [{ data: ofBytes(1_900) }],
      { data: ofBytes(1_100) },
      'Request limit exceeded: Signals of the stack exceed maximum allowed size (3120 of 3000 bytes).',
      'two',
    ],
    [
      'an id longer than a key',
      [],
      { id: ofBytes(256) },
      'The id of a signal may have 255 characters.',
    ],
  ])('with %s are refused and not stored', async (_, before, more, message, name = 'one') => {
    for (const one of before) await signal(one);
    const metadata = await metadataOf(name);
    await expect(signal(more, name)).rejects.toThrow(message);
    expect(await metadataOf(name)).toEqual(metadata);
    expect(await events()).toBe(before.length);
  });

  it('may shrink or be replaced when the limit is reached', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await signal({ id, data: ofBytes(400) });
    await signal({ id: 'a', data: 'small', status: 'FAILURE' });
    await signal({ id: 'b', data: ofBytes(700) });
    expect(await metadataOf('one')).toMatchObject({ a: { data: 'small', status: 'FAILURE' } });
  });

  it('are deleted with their handle', async () => {
    await signal({});
    await started.remove(stack);
    const { manager } = started.ctx;
    expect(await preparedRows(manager, 'SELECT 1 FROM resource_signals', [])).toEqual([]);
    expect(await preparedRows(manager, 'SELECT 1 FROM signal_tallies', [])).toEqual([]);
    stack = await started.creating.create(started.ctx, { name: 'signalled', template: hot({}) });
    await started.settled(stack);
  });
});
