import { describe, expect, it } from '@jest/globals';
import { candidate, request } from './candidate.fixture.js';
import { chooseHost } from './choose-host.js';

const demand = request();

describe('chooseHost', () => {
  it('chooses the host with the most free memory', () => {
    const hosts = [candidate('a'), candidate('b', { freeMemoryMb: 8192 })];
    expect(chooseHost(hosts, demand)).toEqual({ host: 'b' });
  });

  it('chooses the first by name among equals, so that two schedulers agree', () => {
    expect(chooseHost([candidate('b'), candidate('a')], demand)).toEqual({ host: 'a' });
  });

  it('chooses a host that fits exactly', () => {
    const exact = candidate('a', { freeVcpus: 2, freeMemoryMb: 1024, freeDiskGb: 10 });
    expect(chooseHost([exact], demand)).toEqual({ host: 'a' });
  });

  it('skips hosts that are disabled or down', () => {
    const hosts = [
      candidate('a', { enabled: false }),
      candidate('b', { isUp: false }),
      candidate('c'),
    ];
    expect(chooseHost(hosts, demand)).toEqual({ host: 'c' });
  });

  it('says that there are no hosts', () => {
    expect(chooseHost([], demand)).toEqual({
      refusal: 'No valid host was found: there are no hosts.',
    });
  });

  it('says which filter refused how many hosts, and why', () => {
    const hosts = [
      candidate('a', { isUp: false }),
      candidate('b', { freeMemoryMb: 512 }),
      candidate('c', { freeVcpus: 1 }),
    ];
    expect(chooseHost(hosts, demand)).toEqual({
      refusal:
        'No valid host was found: ComputeFilter refused 1 of 3 (disabled or not heard of); ' +
        'VcpuFilter refused 1 of 2 (2 VCPUs asked for, at most 8 free); ' +
        'RamFilter refused 1 of 1 (1024 MB asked for, at most 512 MB free).',
    });
  });

  it('chooses a forced host, whatever filters other than those of capacity say', () => {
    const hosts = [candidate('a'), candidate('b', { enabled: false, zone: 'east' })];
    const forced = request({ host: 'b', isForced: true, zone: 'nova', query: ['=', 1, 2] });
    expect(chooseHost(hosts, forced)).toEqual({ host: 'b' });
    expect(chooseHost(hosts, { ...forced, memoryMb: 10_000 })).toEqual({
      refusal: expect.stringContaining('RamFilter refused 1 of 1'),
    });
    const down = [candidate('b', { isUp: false })];
    expect(chooseHost(down, forced)).toEqual({
      refusal: expect.stringContaining('ComputeFilter refused 1 of 1'),
    });
  });
});
