import { describe, expect, it } from '@jest/globals';
import { candidate, request } from './candidate.fixture.js';
import type { GroupRequest } from './host-request.js';
import { byWeight, WEIGHERS } from './weighers.js';

const order = (hosts: Parameters<typeof byWeight>[0], over = {}): string[] =>
  byWeight(hosts, request(over)).map(({ name }) => name);

const group = (policy: GroupRequest['policy']) => ({
  group: { policy, maxPerHost: 1, members: new Map([['b', 1]]) },
});

describe('each weigher', () => {
  it.each([
    ['RAMWeigher', { freeMemoryMb: 9000 }, {}],
    ['CPUWeigher', { freeVcpus: 90 }, {}],
    ['DiskWeigher', { freeDiskGb: 900 }, {}],
    ['ServerGroupSoftAffinityWeigher', {}, group('soft-affinity')],
  ])('%s prefers the second of two', (name, over, wants) => {
    const hosts = [candidate('a'), candidate('b', over)];
    const weigh = WEIGHERS.find((one) => one.name === name)?.weigh;
    const [one = 0, other = 0] = hosts.map((host) => weigh?.(host, request(wants)) ?? 0);
    expect(other).toBeGreaterThan(one);
    expect(order(hosts, wants)).toEqual(['b', 'a']);
  });

  it('ServerGroupSoftAntiAffinityWeigher prefers a host without the group', () => {
    expect(order([candidate('b'), candidate('c')], group('soft-anti-affinity'))).toEqual([
      'c',
      'b',
    ]);
  });
});

it('weighs values of different units alike', () => {
  const hosts = [
    candidate('memory', { freeMemoryMb: 8192 }),
    candidate('others', { freeVcpus: 16, freeDiskGb: 200 }),
  ];
  expect(order(hosts)).toEqual(['others', 'memory']);
});

it('weighs a small difference as a small one', () => {
  const hosts = [
    candidate('memory', { freeMemoryMb: 100_000 }),
    candidate('others', { freeVcpus: 9, freeDiskGb: 101 }),
  ];
  expect(order(hosts)).toEqual(['memory', 'others']);
});

it("the owner's wishes outweigh free resources", () => {
  const roomy = { freeMemoryMb: 100_000, freeVcpus: 100, freeDiskGb: 1000 };
  const hosts = [candidate('a', roomy), candidate('b')];
  expect(order(hosts, group('soft-affinity'))).toEqual(['b', 'a']);
});
