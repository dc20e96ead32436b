import { describe, expect, it } from '@jest/globals';
import { findCycle } from './requirements.js';

const cycle = (requires: Record<string, string[]>): readonly string[] | undefined =>
  findCycle(new Map(Object.entries(requires)));

describe('cycles', () => {
  it.each<[Record<string, string[]>, string[] | undefined]>([
    [{}, undefined],
    [{ a: ['b', 'c'], b: ['c'], c: [] }, undefined],
    [{ a: ['gone'] }, undefined],
    [{ a: ['a'] }, ['a', 'a']],
    [{ a: ['b'], b: ['c'], c: ['b'] }, ['b', 'c', 'b']],
    [{ x: ['y'], y: [], a: ['x', 'b'], b: ['y', 'a'] }, ['a', 'b', 'a']],
  ])('in %j are %j', (requires, found) => {
    expect(cycle(requires)).toEqual(found);
  });
});
