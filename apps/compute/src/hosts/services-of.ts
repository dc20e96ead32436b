/** The services that hosts have: the one that runs servers, and those of the whole cloud. Pure. */
import { DEFAULT_ZONE, type Host, SILENCE_SECONDS } from './host.entity.js';

export const COMPUTE = 'nova-compute';

/** The zone of what places no servers. Public source: Nova, `internal_service_availability_zone`. */
export const INTERNAL_ZONE = 'internal';

export interface Service extends Pick<
  Host,
  'name' | 'number' | 'serviceId' | 'enabled' | 'disabledReason' | 'forcedDown' | 'isUp' | 'seenAt'
> {
  readonly binary: string;
  /** What lists of hosts call it. */
  readonly topic: string;
  readonly zone: string;
}

type Part = Pick<Service, 'binary' | 'topic' | 'number' | 'serviceId'>;

/**
 * What every process that works does, so no process is for it alone. Their ids are no host's: the same
 * in every cloud, and numbers that hosts do not reach.
 */
const PARTS: readonly Part[] = [
  {
    binary: 'nova-scheduler',
    topic: 'scheduler',
    number: 999_999_998,
    serviceId: '5c4bd0f0-3e2f-5a0b-9d6e-6e6f76612d73',
  },
  {
    binary: 'nova-conductor',
    topic: 'conductor',
    number: 999_999_999,
    serviceId: '5c4bd0f0-3e2f-5a0b-9d6e-6e6f76612d63',
  },
];

/** The one of the whole cloud that has the id, if any. */
export function partWith(key: Partial<Pick<Host, 'number' | 'serviceId'>>): Part | undefined {
  return PARTS.find(
    ({ number, serviceId }) => number === key.number || serviceId === key.serviceId,
  );
}

export function computeServiceOf(host: Host): Service {
  const { name, number, serviceId, enabled, disabledReason, forcedDown, isUp, seenAt } = host;
  const decided = { enabled, disabledReason, forcedDown };
  const zone = host.zone ?? DEFAULT_ZONE;
  const ids = { name, number, serviceId };
  return { ...ids, ...decided, isUp, seenAt, zone, binary: COMPUTE, topic: 'compute' };
}

/**
 * Those of all hosts, and then one scheduler and one conductor at the first host whose process is heard
 * of. That it takes no servers, or is forced down, is about its servers alone.
 */
export function servicesOf(hosts: readonly Host[]): Service[] {
  const worker = hosts.find(isHeard) ?? hosts[0];
  if (worker === undefined) return [];
  const of = { enabled: true, disabledReason: null, forcedDown: false, zone: INTERNAL_ZONE };
  const { name, seenAt } = worker;
  return [
    ...hosts.map(computeServiceOf),
    ...PARTS.map((part) => ({ ...part, ...of, name, seenAt, isUp: isHeard(worker) })),
  ];
}

function isHeard({ isUp, forcedDown, seenAt }: Host): boolean {
  return isUp || (forcedDown && Date.now() - seenAt.getTime() < SILENCE_SECONDS * 1_000);
}
