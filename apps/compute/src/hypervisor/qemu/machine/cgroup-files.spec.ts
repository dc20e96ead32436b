import { describe, expect, it } from '@jest/globals';
import { filesOfV1, filesOfV2, v1Of, v2Of } from './cgroup-files.js';

const MEMORY = String((2048 + 128 + 512) * 1024 ** 2);

describe('a guest without limits of its own', () => {
  const limits = { vcpus: 4, memoryMb: 2048 };

  it('has its memory, room for QEMU, and the standard part of the processors', () => {
    expect(filesOfV2(limits)).toEqual([
      ['cpu', 'cpu.weight', '100'],
      ['cpu', 'cpu.max', 'max 100000'],
      ['memory', 'memory.max', MEMORY],
    ]);
    expect(Object.fromEntries(filesOfV1(limits).map(([, ...file]) => file))).toEqual({
      'cpu.shares': '1024',
      'cpu.cfs_period_us': '100000',
      'cpu.cfs_quota_us': '-1',
      'memory.limit_in_bytes': MEMORY,
    });
  });
});

describe('a limited guest', () => {
  const limits = { vcpus: 2, memoryMb: 64, shares: 512, periodUs: 20_000, quotaUs: 10_000 };

  it('has the quotas of its vCPUs together', () => {
    expect(filesOfV2(limits)).toContainEqual(['cpu', 'cpu.max', '20000 20000']);
    expect(filesOfV1(limits).at(3)).toEqual(['cpu', 'cpu.cfs_quota_us', '20000']);
  });

  it.each([
    [512, '50', '512'],
    [1, '1', '2'],
    [262_144, '10000', '262144'],
  ])('of %i shares has a weight of %s', (shares, weight, inV1) => {
    expect(filesOfV2({ ...limits, shares })[0]).toEqual(['cpu', 'cpu.weight', weight]);
    expect(filesOfV1({ ...limits, shares })[0]).toEqual(['cpu', 'cpu.shares', inV1]);
  });
});

describe('the groups of a process', () => {
  const hybrid = {
    mountinfo: [
      '31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
      '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
      '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
      '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
    ].join('\n'),
    cgroup: '4:memory:/a/b\n1:cpu,cpuacct:/c\n0::/d\n',
  };

  it('are found with v1 mounted beside v2', () => {
    const [mount, own] = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup/unified/d'];
    expect(v2Of(hybrid)).toEqual({ mount, own });
    expect(v1Of(hybrid)).toEqual({
      cpu: '/sys/fs/cgroup/cpu,cpuacct/c',
      memory: '/sys/fs/cgroup/memory/a/b',
    });
  });

  it('are found if the mount shows a part of the hierarchy', () => {
    const mountinfo = '41 31 0:38 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup rw';
    expect(v2Of({ mountinfo, cgroup: '0::/docker/1/main' })?.own).toBe('/sys/fs/cgroup/main');
    expect(v2Of({ mountinfo, cgroup: '0::/' })?.own).toBe('/sys/fs/cgroup');
  });

  it('are undefined without a mount', () => {
    expect(v2Of({ mountinfo: '', cgroup: '' })).toBeUndefined();
    expect(v1Of({ ...hybrid, cgroup: '0::/' })).toBeUndefined();
  });
});
