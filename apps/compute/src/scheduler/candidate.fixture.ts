import type { HostState } from '../hosts/host.repository.js';
import { candidateOf, type Candidate } from './candidate.js';
import type { HostRequest } from './host-request.js';

/** A host of eight processors, 4 GiB of memory and 100 GiB of disk. */
export function candidate(name: string, over: Partial<HostState & Candidate> = {}): Candidate {
  const state: HostState = {
    name,
    enabled: true,
    isUp: true,
    zone: 'nova',
    address: '192.0.2.1',
    aggregates: [],
    hypervisorType: 'QEMU',
    hypervisorVersion: '7.2.22',
    cpu: { arch: 'x86_64' },
    vcpus: 8,
    memoryMb: 4096,
    diskGb: 100,
    usedVcpus: 0,
    usedMemoryMb: 0,
    usedDiskGb: 0,
    ...over,
  };
  const ratios = { cpuRatio: 1, ramRatio: 1, diskRatio: 1, reservedMemoryMb: 0 };
  return { ...candidateOf(state, ratios), ...over };
}

/** A host with one aggregate of this metadata. */
export function inAggregate(name: string, metadata: Record<string, string>): Candidate {
  return candidate(name, { aggregates: [{ zone: null, metadata }] });
}

export function request(over: Partial<HostRequest> = {}): HostRequest {
  return {
    vcpus: 2,
    memoryMb: 1024,
    diskGb: 10,
    flavorName: 'm1.small',
    extraSpecs: {},
    imageProperties: {},
    excluded: [],
    ...over,
  };
}
