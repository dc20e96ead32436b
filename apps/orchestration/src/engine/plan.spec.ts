import { describe, expect, it } from '@jest/globals';
import { orderOf, planOf, type PlannedDefinition, type PlannedRow, type Step } from './plan.js';

const row = (name: string, fields: Partial<PlannedRow> = {}): PlannedRow => ({
  id: `id-${name}`,
  name,
  requires: [],
  obsolete: false,
  isWhole: true,
  isDeleting: false,
  createdAt: new Date(0),
  ...fields,
});

const definition = (...requires: string[]): PlannedDefinition => ({ requires, asks: {} });
const never = (): boolean => false;

/** The names of the steps that depend on each step. */
function shown(steps: readonly Step[]): Record<string, string[]> {
  return Object.fromEntries(
    steps.map(({ name, next }) => [name, next.map((at) => steps[at]?.name ?? '?').sort()]),
  );
}

describe('a plan', () => {
  it('orders resources by their requirements', () => {
    const { steps } = planOf(
      [],
      { c: definition('a', 'b'), b: definition('a'), a: definition() },
      [],
      never,
    );
    expect(steps.map(({ name, waitingFor }) => [name, waitingFor])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
    expect(shown(steps)).toEqual({ a: ['b', 'c'], b: ['c'], c: [] });
  });

  it('keeps existing rows and deletes others', () => {
    const { steps, obsolete } = planOf(
      [row('a'), row('b')],
      { a: definition(), c: definition() },
      [],
      never,
    );
    expect(steps.map(({ name, rowId }) => [name, rowId])).toEqual([
      ['a', 'id-a'],
      ['c', undefined],
    ]);
    expect(obsolete).toEqual(['id-b']);
  });

  it('creates a resource anew while the former is being deleted', () => {
    const { steps, obsolete } = planOf(
      [row('a', { isDeleting: true })],
      { a: definition() },
      [],
      never,
    );
    expect(steps[0]?.rowId).toBeUndefined();
    expect(obsolete).toEqual(['id-a']);
  });

  it('restores a replaced row if its replacement failed', () => {
    const rows = [row('a', { id: 'new', isWhole: false }), row('a', { id: 'old', obsolete: true })];
    const { steps, obsolete } = planOf(rows, { a: definition() }, [], never);
    expect(steps[0]?.rowId).toBe('old');
    expect(obsolete).toEqual(['new']);
  });

  it('restores a replaced row if its definition is wanted again', () => {
    const rows = [row('a', { id: 'new' }), row('a', { id: 'old', obsolete: true })];
    const back = planOf(rows, { a: definition() }, [], ({ id }) => id === 'old');
    expect(back.steps[0]?.rowId).toBe('old');
    expect(planOf(rows, { a: definition() }, [], never).steps[0]?.rowId).toBe('new');
  });

  it('does not restore an obsolete row that was never complete', () => {
    const rows = [row('a', { obsolete: true, isWhole: false })];
    expect(planOf(rows, { a: definition() }, [], never).steps[0]?.rowId).toBeUndefined();
  });

  it('collects the attributes that other resources and outputs refer to', () => {
    const { steps } = planOf(
      [],
      { a: definition(), b: { requires: ['a'], asks: { a: ['y', 'x'] } } },
      [{ asks: { a: ['x', 'z'] } }],
      never,
    );
    expect(steps[0]?.asked).toEqual(['x', 'y', 'z']);
  });

  it('handles a chain of 20,000', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`r${at}`, definition(`r${at + 1}`)]),
    );
    const { steps } = planOf([], definitions, [], never);
    expect(steps[0]?.name).toBe('r19999');
    expect(steps.at(-1)?.name).toBe('r0');
  });
});

describe('an order', () => {
  const rows = [row('a'), row('b', { requires: ['a'] }), row('c', { requires: ['a'] })];

  it('back starts with resources that nothing requires', () => {
    const steps = orderOf(rows, 'back');
    expect(steps.map(({ name, waitingFor }) => [name, waitingFor])).toEqual([
      ['b', 0],
      ['c', 0],
      ['a', 2],
    ]);
  });

  it('forth starts with resources that require nothing', () => {
    expect(orderOf(rows, 'forth').map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('drops the edge that would close a cycle', () => {
    const circle = [row('a', { requires: ['b'] }), row('b', { requires: ['a'] })];
    const steps = orderOf(circle, 'back');
    expect(steps.map(({ waitingFor }) => waitingFor)).toEqual([0, 1]);
  });

  it('deletes all replaced rows before their requirements', () => {
    const several = [
      row('a'),
      row('b', { id: 'b1', requires: ['a'] }),
      row('b', { id: 'b2', requires: ['a'] }),
    ];
    expect(orderOf(several, 'back').at(-1)).toMatchObject({ name: 'a', waitingFor: 2 });
  });
});
