import { describe, expect, it } from '@jest/globals';
import { judgeAccounts } from './account.js';

const ALL = '000001ffffffffff';
const MAP = '         0          0 4294967295\n';
const root = {
  status: `Uid:\t0\t0\t0\t0\nCapEff:\t${ALL}\n`,
  uidMap: MAP,
  gidMap: MAP,
};

describe('whom HAProxy runs as', () => {
  it('is a user of its own for each load balancer of root', () => {
    const accountOf = judgeAccounts(root);
    expect(accountOf('a')).toEqual(accountOf('a'));
    expect(accountOf('a')?.uid).not.toBe(accountOf('b')?.uid);
    expect(accountOf('a')?.uid).toBeGreaterThanOrEqual(0x7000_0000);
  });

  it.each([
    ['another user', { status: root.status.replaceAll('\t0', '\t1000') }],
    ['root without CAP_SETUID', { status: root.status.replace(ALL, '000001ffffffff7f') }],
    ['root without these ids', { uidMap: '0 100000 65536\n' }],
  ])('is the same user for %s', (_, facts) => {
    expect(judgeAccounts({ ...root, ...facts })('a')).toBeUndefined();
  });
});
