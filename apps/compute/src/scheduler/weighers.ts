/**
 * Ranks the hosts that pass: each weigher's values become shares of the largest, and their sum
 * decides. Nova spreads values between 0 and 1 instead, so that its last megabyte may count as much
 * as half of the memory. Public source: Nova admin guide, "Compute schedulers: Weights".
 */
import type { Candidate } from './candidate.js';
import type { HostRequest } from './host-request.js';

export interface Weigher {
  readonly name: string;
  /** More is better. */
  weigh(host: Candidate, request: HostRequest): number;
}

const membersOn = ({ name }: Candidate, { group }: HostRequest): number =>
  group?.members.get(name) ?? 0;

export const WEIGHERS: readonly Weigher[] = [
  { name: 'RAMWeigher', weigh: ({ freeMemoryMb }) => freeMemoryMb },
  { name: 'CPUWeigher', weigh: ({ freeVcpus }) => freeVcpus },
  { name: 'DiskWeigher', weigh: ({ freeDiskGb }) => freeDiskGb },
  {
    name: 'ServerGroupSoftAffinityWeigher',
    weigh: (host, request) =>
      request.group?.policy === 'soft-affinity' ? membersOn(host, request) : 0,
  },
  {
    name: 'ServerGroupSoftAntiAffinityWeigher',
    weigh: (host, request) =>
      request.group?.policy === 'soft-anti-affinity' ? -membersOn(host, request) : 0,
  },
];

/** Wishes of the owner outweigh all resources together. */
const MULTIPLIERS: Readonly<Record<string, number>> = {
  ServerGroupSoftAffinityWeigher: 4,
  ServerGroupSoftAntiAffinityWeigher: 4,
};

/** Best first; equal ones by name, so that two schedulers agree. */
export function byWeight(hosts: readonly Candidate[], request: HostRequest): Candidate[] {
  const totals = new Map(hosts.map((host) => [host, 0]));
  for (const weigher of WEIGHERS) {
    const weights = hosts.map((host) => weigher.weigh(host, request));
    const largest = Math.max(...weights.map(Math.abs));
    if (largest === 0) continue;
    hosts.forEach((host, at) => {
      const share = (weights[at] ?? 0) / largest;
      totals.set(host, (totals.get(host) ?? 0) + share * (MULTIPLIERS[weigher.name] ?? 1));
    });
  }
  const weight = (host: Candidate): number => totals.get(host) ?? 0;
  return [...hosts].sort(
    (one, other) => weight(other) - weight(one) || one.name.localeCompare(other.name),
  );
}
