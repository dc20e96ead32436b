import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction } from '../database/transaction.js';
import { initialState, RowGoneError, transition, WrongStateError } from './transition.js';
import { startWidgets, widgetStates, type Widgets } from './widget.fixture.js';

let widgets: Widgets;

beforeAll(async () => {
  widgets = await startWidgets();
});

afterAll(async () => {
  await widgets.stop();
});

describe('transition', () => {
  it('moves the row, and says where it came from', async () => {
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

  it('knows that the row is gone', async () => {
    await expect(transition(widgets.ctx, widgetStates, randomUUID(), 'made')).rejects.toThrow(
      RowGoneError,
    );
  });

  it('lets exactly one of many callers win', async () => {
    const id = await widgets.insert({ state: 'there' });
    const callers = Array.from({ length: 6 }, () =>
      inTransaction(widgets.ctx, (tx) => transition(tx, widgetStates, id, 'mend')),
    );
    const results = await Promise.allSettled(callers);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const losers = results.filter((result) => result.status === 'rejected');
    for (const { reason } of losers) expect(reason).toBeInstanceOf(WrongStateError);
  });

  it('goes back with its transaction', async () => {
    const id = await widgets.insert();
    const work = inTransaction(widgets.ctx, async (tx) => {
      await transition(tx, widgetStates, id, 'made');
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await widgets.read(id)).toMatchObject({ state: 'making' });
  });
});

it('a first state has its deadline from the table', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(initialState(widgetStates, now)).toEqual({
    state: 'making',
    stateSince: now,
    stateDeadline: new Date('2026-01-01T00:01:00Z'),
  });
});
