import { describe, expect, it } from '@jest/globals';
import { batchesOf, membersAfter, withIndex } from './members.js';
import { capacityAfter } from './scaling-group.js';
import { amazonPaceOf, paceOf } from './group-steps.js';

describe('batches', () => {
  it('renew a few members at once, with the minimum in service', () => {
    expect(batchesOf(4, 4, { minInService: 0, maxBatchSize: 2 })).toEqual([
      { size: 4, renewed: 2 },
      { size: 4, renewed: 2 },
    ]);
  });

  it('add members if all must stay in service', () => {
    expect(batchesOf(2, 2, { minInService: 2, maxBatchSize: 1 })).toEqual([
      { size: 3, renewed: 1 },
      { size: 3, renewed: 1 },
      { size: 3, renewed: 1 },
      { size: 2, renewed: 0 },
    ]);
  });

  it('create a new group', () => {
    expect(batchesOf(3, 0, { minInService: 0, maxBatchSize: 2 })).toEqual([
      { size: 2, renewed: 2 },
      { size: 3, renewed: 1 },
    ]);
  });

  it('end with any limits', () => {
    for (const target of [0, 1, 2, 5, 9])
      for (const current of [0, 1, 3, 8])
        for (const minInService of [0, 1, 4, 20])
          for (const maxBatchSize of [1, 2, 7]) {
            const batches = batchesOf(target, current, { minInService, maxBatchSize });
            expect(batches.at(-1)?.size ?? current).toBe(target);
          }
  });
});

describe('a capacity', () => {
  const bounds = { min: 1, max: 10 };

  it.each([
    [4, 'change', 2, 6],
    [4, 'change', -9, 1],
    [4, 'exact', 20, 10],
    [4, 'percent', 50, 6],
    [4, 'percent', 10, 5],
    [4, 'percent', -10, 3],
  ] as const)('of %i adjusted by %s of %i is %i', (current, type, by, expected) => {
    expect(capacityAfter(current, { by, type, minStep: undefined }, bounds)).toBe(expected);
  });

  it('changes by at least one member', () => {
    expect(capacityAfter(4, { by: 25, type: 'percent', minStep: 3 }, bounds)).toBe(7);
  });
});

describe('members', () => {
  const old = [
    ['a', { v: 1 }],
    ['b', { v: 1 }],
  ] as const;

  it('are removed from the front, updated and added', () => {
    const newNames = ['c', 'd'];
    const after = membersAfter(
      old,
      { size: 3, renewed: 2 },
      () => ({ v: 2 }),
      () => newNames.shift() ?? '',
    );
    expect(after).toEqual({ a: { v: 2 }, b: { v: 1 }, c: { v: 2 } });
    expect(
      membersAfter(
        old,
        { size: 1, renewed: 0 },
        () => ({ v: 2 }),
        () => '',
      ),
    ).toEqual({ b: { v: 1 } });
  });

  it('have their index in their properties', () => {
    expect(withIndex({ name: 'web-%i%', list: ['%i%', 1] }, '%i%', '7')).toEqual({
      name: 'web-7',
      list: ['7', 1],
    });
  });
});

describe('a pace', () => {
  it('is read from the update policy', () => {
    expect(paceOf({ min_in_service: 1, max_batch_size: 3, pause_time: 5 })).toEqual({
      minInService: 1,
      maxBatchSize: 3,
      pause: 5,
    });
    expect(amazonPaceOf({ MinInstancesInService: '1', PauseTime: 'PT1M30S' })).toEqual({
      minInService: 1,
      maxBatchSize: 1,
      pause: 90,
    });
    expect(paceOf(undefined)).toBeUndefined();
  });
});
