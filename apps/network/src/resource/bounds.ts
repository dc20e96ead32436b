/**
 * Bounds of lists that are stored in one row. Lists of resources read whole rows, so an oversized
 * row would slow down everyone's requests.
 */
import { BadRequestError } from '@cumulet/common/resources/resource.errors';

interface Bound {
  /** The resource that has the list. */
  readonly resource: string;
  readonly max: number;
  readonly message: string;
}

const BOUNDS = {
  // Public source: neutron, `extensions/tagging.py`, `MAX_TAGS_COUNT`.
  tags: {
    resource: 'resource',
    max: 50,
    message: 'The number of tags exceed the per-resource limit of 50',
  },
  // Neutron has no bounds for the following.
  addresses: {
    resource: 'address_group',
    max: 1_000,
    message: 'An address group may have 1000 addresses',
  },
  prefixes: {
    resource: 'subnetpool',
    max: 1_000,
    message: 'A subnet pool may have 1000 prefixes',
  },
  extra_dhcp_opts: {
    resource: 'port',
    max: 100,
    message: 'A port may have 100 DHCP options',
  },
  port_forwardings: {
    resource: 'port_forwarding',
    max: 1_000,
    message: 'A floating IP may have 1000 port forwardings',
  },
} as const satisfies Readonly<Record<string, Bound>>;

/** A list over its bound may stay or shrink. @throws BadRequestError naming the bound */
export function expectWithin(list: keyof typeof BOUNDS, next: number, before: number): void {
  const { resource, max, message } = BOUNDS[list];
  if (next > max && next > before) throw new BadRequestError(resource, message);
}
