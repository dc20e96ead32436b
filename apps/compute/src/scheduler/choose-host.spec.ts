import { describe, expect, it } from '@jest/globals';
import { chooseHost, type Candidate } from './choose-host.js';

const host = (name: string, over: Partial<Candidate> = {}): Candidate => ({
  name,
  enabled: true,
  silentSeconds: 1,
  freeVcpus: 8,
  freeMemoryMb: 4096,
  freeDiskGb: 100,
  ...over,
});

const demand = { vcpus: 2, memoryMb: 1024, diskGb: 10 };

describe('chooseHost', () => {
  it('takes the host with the most free memory', () => {
    expect(chooseHost([host('a'), host('b', { freeMemoryMb: 8192 })], demand)).toEqual({
      host: 'b',
    });
  });

  it('takes the first by name among equals, so that two schedulers agree', () => {
    expect(chooseHost([host('b'), host('a')], demand)).toEqual({ host: 'a' });
  });

  it('takes a host that fits exactly', () => {
    const exact = host('a', { freeVcpus: 2, freeMemoryMb: 1024, freeDiskGb: 10 });
    expect(chooseHost([exact], demand)).toEqual({ host: 'a' });
  });

  it('passes over hosts that are disabled or silent', () => {
    const hosts = [host('a', { enabled: false }), host('b', { silentSeconds: 13 }), host('c')];
    expect(chooseHost(hosts, demand)).toEqual({ host: 'c' });
  });

  it('says that there are no hosts', () => {
    expect(chooseHost([], demand)).toEqual({
      refusal: 'No valid host was found: there are no hosts.',
    });
  });

  it('says which filter refused how many hosts, and why', () => {
    const hosts = [
      host('a', { silentSeconds: 99 }),
      host('b', { freeMemoryMb: 512 }),
      host('c', { freeVcpus: 1 }),
    ];
    expect(chooseHost(hosts, demand)).toEqual({
      refusal:
        'No valid host was found: ComputeFilter refused 1 of 3 (disabled or not heard of); ' +
        'VcpuFilter refused 1 of 2 (2 VCPUs asked for, at most 8 free); ' +
        'RamFilter refused 1 of 1 (1024 MB asked for, at most 512 MB free).',
    });
  });
});
