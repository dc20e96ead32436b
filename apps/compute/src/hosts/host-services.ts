/** The services of hosts: the one that runs servers, and those of the whole cloud. Pure. */
import { DEFAULT_ZONE, type Host, SILENCE_SECONDS } from './host.entity.js';

export const COMPUTE = 'nova-compute';

/** Zone of services without servers (Nova, `internal_service_availability_zone`). */
export const INTERNAL_ZONE = 'internal';

export interface Service extends Pick<
  Host,
  'name' | 'number' | 'serviceId' | 'enabled' | 'disabledReason' | 'forcedDown' | 'isUp' | 'seenAt'
> {
  readonly binary: string;
  readonly topic: string;
  readonly zone: string;
}

type CloudService = Pick<Service, 'binary' | 'topic' | 'number' | 'serviceId'>;

/** Every worker does these. Their IDs are the same in every cloud, and beyond those of hosts. */
const CLOUD_SERVICES: readonly CloudService[] = [
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

/** The cloud-wide service with the ID. */
export function cloudServiceWith(
  key: Partial<Pick<Host, 'number' | 'serviceId'>>,
): CloudService | undefined {
  return CLOUD_SERVICES.find(
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
 * Each host's service, then a scheduler and a conductor at the first host that is heard from. Being
 * disabled or forced down concerns a host's servers alone.
 */
export function servicesOf(hosts: readonly Host[]): Service[] {
  const worker = hosts.find(isHeard) ?? hosts[0];
  if (worker === undefined) return [];
  const of = { enabled: true, disabledReason: null, forcedDown: false, zone: INTERNAL_ZONE };
  const { name, seenAt } = worker;
  return [
    ...hosts.map(computeServiceOf),
    ...CLOUD_SERVICES.map((service) => ({
      ...service,
      ...of,
      name,
      seenAt,
      isUp: isHeard(worker),
    })),
  ];
}

function isHeard({ isUp, forcedDown, seenAt }: Host): boolean {
  return isUp || (forcedDown && Date.now() - seenAt.getTime() < SILENCE_SECONDS * 1_000);
}
