import { describe, expect, it } from '@jest/globals';
import {
  added,
  countedBefore,
  NO_COUNTERS,
  readCounters,
  readStatistics,
  writeCounters,
} from './statistics.js';

const NAMES = '# pxname,svname,scur,stot,bin,bout,ereq,status,weight,type,';
const stat = (...lines: string[]): string => [NAMES, ...lines, ''].join('\n');
const server = (backend: string, member: string, status: string, weight = 1): string =>
  `${backend},${member},0,0,0,0,,${status},${weight},2,`;

describe("HAProxy's statistics", () => {
  it('are counted by listener', () => {
    const { listeners } = readStatistics(
      stat('l1,FRONTEND,2,40,100,2000,3,OPEN,,0,', 'p:l1,BACKEND,1,1,1,1,,UP,1,1,'),
    );
    expect([...listeners]).toEqual([
      [
        'l1',
        {
          bytesIn: 100,
          bytesOut: 2000,
          requestErrors: 3,
          activeConnections: 2,
          totalConnections: 40,
        },
      ],
    ]);
  });

  it.each([
    ['UP', 1, 'ONLINE'],
    ['UP 1/3', 1, 'ONLINE'],
    ['DOWN', 1, 'ERROR'],
    ['DOWN 1/2', 1, 'ERROR'],
    ['MAINT', 1, 'OFFLINE'],
    ['MAINT (resolution)', 1, 'OFFLINE'],
    ['DRAIN', 1, 'DRAINING'],
    ['UP', 0, 'DRAINING'],
    ['no check', 1, 'NO_MONITOR'],
    ['no check', 0, 'DRAINING'],
  ])('report the status "%s" with weight %s as %s', (status, weight, health) => {
    const { members } = readStatistics(stat(server('p:l1', 'm1', status, weight)));
    expect([...members]).toEqual([['m1', health]]);
  });

  it('report the result of the last check', () => {
    const text = [
      '# pxname,svname,status,weight,type,check_status,last_chk,check_desc,',
      'p:l1,m1,UP,1,2,* L7OK,OK,Layer7 check passed,',
      'p:l1,m2,DOWN,1,2,L4CON,,Layer1-4 connection problem,',
      'p:l1,m3,no check,1,2,,,,',
    ].join('\n');
    expect([...readStatistics(text).checks]).toEqual([
      ['m1', 'L7OK: OK'],
      ['m2', 'L4CON: Layer1-4 connection problem'],
    ]);
  });

  it('report the worst status among several listeners', () => {
    const text = stat(server('p:l1', 'm1', 'UP'), server('p:l2', 'm1', 'DOWN'));
    expect(readStatistics(text).members.get('m1')).toBe('ERROR');
  });
});

const statistics = {
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
const one = new Map([['l1', statistics]]);
const kept = { pid: 7, earlier: one, last: one };

describe('counters across reloads', () => {
  it('are added up, except for current connections', () => {
    expect(added(one, one).get('l1')).toEqual(twice);
  });

  it('are added only once the next process carries the traffic', () => {
    expect(countedBefore(7, kept)).toEqual(one);
    expect(countedBefore(8, kept)).toEqual(new Map([['l1', twice]]));
    expect(countedBefore(8, NO_COUNTERS)).toEqual(new Map());
  });

  it('drop deleted listeners, and start at zero for new ones', () => {
    const sum = added(new Map([['gone', statistics]]), new Map([['new', statistics]]));
    expect([...sum]).toEqual([['new', statistics]]);
  });

  it('are read back as written, and as empty from a truncated file', () => {
    expect(readCounters(writeCounters(kept))).toEqual(kept);
    expect(readCounters(writeCounters(kept).slice(0, 20))).toEqual(NO_COUNTERS);
  });
});
