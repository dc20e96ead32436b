import { describe, expect, it } from '@jest/globals';
import { candidate } from './candidate.fixture.js';
import { candidateOf } from './candidate.js';

const ratios = { cpuRatio: 16, ramRatio: 1.5, diskRatio: 2, reservedMemoryMb: 96 };
const of = (...aggregates: Record<string, string>[]) =>
  candidateOf(
    candidate('a', {
      aggregates: aggregates.map((metadata) => ({ zone: null, metadata })),
      usedVcpus: 4,
      usedMemoryMb: 1000,
      usedDiskGb: 50,
    }),
    ratios,
  );

describe('the free resources of a host', () => {
  it("are the settings' ratios of its resources, less its usage", () => {
    expect(of()).toMatchObject({ freeVcpus: 124, freeMemoryMb: 5000, freeDiskGb: 150 });
  });

  it('follow its aggregates if these have ratios', () => {
    const own = of({
      cpu_allocation_ratio: '2',
      ram_allocation_ratio: '1.0',
      disk_allocation_ratio: '0.5',
    });
    expect(own).toMatchObject({ freeVcpus: 12, freeMemoryMb: 3000, freeDiskGb: 0 });
  });

  it('follow the smallest of several ratios', () => {
    const several = of({ cpu_allocation_ratio: '4' }, { cpu_allocation_ratio: '2' });
    expect(several).toMatchObject({ freeVcpus: 12 });
  });

  it("follow the settings if an aggregate's ratio is invalid", () => {
    for (const ratio of ['much', '-1', '0', ''])
      expect(of({ cpu_allocation_ratio: ratio })).toMatchObject({ freeVcpus: 124 });
  });
});
