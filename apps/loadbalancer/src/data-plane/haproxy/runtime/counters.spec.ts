import { describe, expect, it } from '@jest/globals';
import { added, countedBefore, NO_COUNTERS, readCounters, writeCounters } from './counters.js';

const figures = {
  bytesIn: 10,
  bytesOut: 100,
  totalConnections: 3,
  requestErrors: 1,
  activeConnections: 2,
};
const twice = {
  bytesIn: 20,
  bytesOut: 200,
  totalConnections: 6,
  requestErrors: 2,
  activeConnections: 2,
};
const one = new Map([['l1', figures]]);
const kept = { pid: 7, earlier: one, last: one };

describe('counters over reloads', () => {
  it('add up, but for connections that are there now', () => {
    expect(added(one, one).get('l1')).toEqual(twice);
  });

  it('count what a process had counted only once another carries the traffic', () => {
    expect(countedBefore(7, kept)).toEqual(one);
    expect(countedBefore(8, kept)).toEqual(new Map([['l1', twice]]));
    expect(countedBefore(8, NO_COUNTERS)).toEqual(new Map());
  });

  it('forget listeners that are gone, and begin with nothing for new ones', () => {
    const sum = added(new Map([['gone', figures]]), new Map([['new', figures]]));
    expect([...sum]).toEqual([['new', figures]]);
  });

  it('are read as they were written, and as none from a file that was cut short', () => {
    expect(readCounters(writeCounters(kept))).toEqual(kept);
    expect(readCounters(writeCounters(kept).slice(0, 20))).toEqual(NO_COUNTERS);
  });
});
