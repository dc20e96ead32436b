import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../database/transaction.js';
import { NOW } from './state-table.js';
import {
  amend,
  initialState,
  RowChangedError,
  RowGoneError,
  transition,
  WrongStateError,
} from './transition.js';
import { startWidgets, widgetStates, type Widgets } from './widget.fixture.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

describe('transition', () => {
  it('moves the row, and returns the previous state', async () => {
    const id = await widgets.insert();
    expect(await transition(widgets.ctx, widgetStates, id, 'made')).toBe('making');
    expect(await widgets.read(id)).toMatchObject({
      state: 'there',
      previousState: 'making',
      stateDeadline: null,
    });
  });

  it('gives a transitional state its deadline', async () => {
    const id = await widgets.insert({ state: 'there' });
    await transition(widgets.ctx, widgetStates, id, 'mend');
    const { stateSince, stateDeadline } = await widgets.read(id);
    expect(Number(stateDeadline) - Number(stateSince)).toBe(60_000);
  });

  it('keeps the reason, until the next transition clears it', async () => {
    const id = await widgets.insert();
    await transition(widgets.ctx, widgetStates, id, 'fail', { reason: 'No wood.' });
    expect(await widgets.read(id)).toMatchObject({ state: 'broken', stateReason: 'No wood.' });
    await transition(widgets.ctx, widgetStates, id, 'mend');
    expect(await widgets.read(id)).toMatchObject({ stateReason: null });
  });

  it('refuses an event that the state does not allow, and changes nothing', async () => {
    const id = await widgets.insert();
    await expect(transition(widgets.ctx, widgetStates, id, 'mend')).rejects.toThrow(
      new WrongStateError('widget', id, 'mend', 'making'),
    );
    expect(await widgets.read(id)).toMatchObject({ state: 'making', previousState: null });
  });

  it('detects a missing row', async () => {
    await expect(transition(widgets.ctx, widgetStates, randomUUID(), 'made')).rejects.toThrow(
      RowGoneError,
    );
  });

  it('lets exactly one of many callers succeed', async () => {
    const id = await widgets.insert({ state: 'there' });
    const callers = Array.from({ length: 6 }, () =>
      inTransaction(widgets.ctx, (tx) => transition(tx, widgetStates, id, 'mend')),
    );
    const results = await Promise.allSettled(callers);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = results.filter((result) => result.status === 'rejected');
    for (const { reason } of losers) expect(reason).toBeInstanceOf(WrongStateError);
  });

  it('counts the transitions of the row', async () => {
    const id = await widgets.insert();
    await transition(widgets.ctx, widgetStates, id, 'made');
    await transition(widgets.ctx, widgetStates, id, 'mend');
    expect(await widgets.read(id)).toMatchObject({ generation: 3 });
  });

  it('is rolled back with its transaction', async () => {
    const id = await widgets.insert();
    const work = inTransaction(widgets.ctx, async (tx) => {
      await transition(tx, widgetStates, id, 'made');
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
  });
});

describe('a further condition', () => {
  it.each([
    ['a value', { maker: 'Ada' }],
    ['null', { maker: null }],
    ['several columns', { maker: 'Ada', size: 7, parts: ['leg', 'seat'] }],
  ])('is compared: %s', async (_, only) => {
    const id = await widgets.insert({ size: 7, parts: ['leg', 'seat'], ...only });
    await transition(widgets.ctx, widgetStates, id, 'made', { only });
    expect(await widgets.read(id)).toMatchObject({ state: 'there', ...only });
  });

  it.each([
    ['another value', 'Ada', 'Ben'],
    ['null in place of a value', 'Ada', null],
    ['a value in place of null', null, 'Ada'],
  ])('refuses %s, and changes nothing', async (_, maker, other) => {
    const id = await widgets.insert({ maker });
    const options = { only: { maker: other }, set: { size: 9 } };
    await expect(transition(widgets.ctx, widgetStates, id, 'made', options)).rejects.toThrow(
      new RowChangedError('widget', id, 'made'),
    );
    expect(await widgets.read(id)).toMatchObject({ state: 'making', size: 1, generation: 1 });
  });

  it('is not reported for a row in a wrong state', async () => {
    const id = await widgets.insert({ state: 'there' });
    const options = { only: { maker: 'Ada' } };
    await expect(transition(widgets.ctx, widgetStates, id, 'made', options)).rejects.toThrow(
      WrongStateError,
    );
  });
});

describe('amend', () => {
  it('changes columns, but neither state nor generation', async () => {
    const id = await widgets.insert({ maker: 'Ada' });
    await amend(widgets.ctx, widgetStates, id, { only: { maker: 'Ada' }, set: { maker: 'Ben' } });
    expect(await widgets.read(id)).toMatchObject({ state: 'making', maker: 'Ben', generation: 1 });
  });

  it('changes nothing if the condition does not hold', async () => {
    const id = await widgets.insert({ maker: 'Ada' });
    const amendment = { only: { maker: null }, set: { size: 9 } };
    await expect(amend(widgets.ctx, widgetStates, id, amendment)).rejects.toThrow(RowChangedError);
    expect(await widgets.read(id)).toMatchObject({ size: 1 });
  });

  it('detects a missing row', async () => {
    const amendment = { set: { size: 9 } };
    await expect(amend(widgets.ctx, widgetStates, randomUUID(), amendment)).rejects.toThrow(
      RowGoneError,
    );
  });
});

describe('a column that changes with the state', () => {
  it('changes in the same statement, whatever its type', async () => {
    const id = await widgets.insert({ maker: 'Ada' });
    const set = { maker: null, size: 3, parts: ['"', "'"], projectId: 'other' };
    await transition(widgets.ctx, widgetStates, id, 'made', { set });
    expect(await widgets.read(id)).toMatchObject({ state: 'there', ...set });
  });

  it('includes what the event always sets', async () => {
    const id = await widgets.insert({ maker: 'Ada' });
    await transition(widgets.ctx, widgetStates, id, 'fail');
    expect(await widgets.read(id)).toMatchObject({ state: 'broken', maker: null });
  });

  it("is timed by the database's clock", async () => {
    const id = await widgets.insert();
    const { updatedAt } = await widgets.read(id);
    await transition(widgets.ctx, widgetStates, id, 'made', { set: { updatedAt: NOW } });
    expect(Number((await widgets.read(id)).updatedAt)).toBeGreaterThan(Number(updatedAt));
  });

  it.each(['colour', 'project_id', 'size = 0, name'])(
    'is a column of the entity, not %s',
    async (name) => {
      const id = await widgets.insert();
      const options = { set: { [name]: 1 } };
      await expect(transition(widgets.ctx, widgetStates, id, 'made', options)).rejects.toThrow(
        `The entity of widgets has no column ${name}`,
      );
    },
  );
});

it('a first state has its deadline from the table', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(initialState(widgetStates, now)).toEqual({
    state: 'making',
    stateSince: now,
    stateDeadline: new Date('2026-01-01T00:01:00Z'),
  });
});
