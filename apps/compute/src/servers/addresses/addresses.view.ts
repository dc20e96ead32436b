/** A server's addresses on the wire, by network name. Pure. */
import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import type { Server, ServerAddress } from '../server.entity.js';

type Addressed = Pick<Server, 'addresses'>;

/** As in a server's details. */
export function addressesView({ addresses }: Addressed): object {
  return grouped(addresses, ({ version, address, type, macAddress }) => ({
    version,
    addr: address,
    'OS-EXT-IPS:type': type,
    'OS-EXT-IPS-MAC:mac_addr': macAddress,
  }));
}

/** As in its list of addresses, with fewer properties. */
export function plainAddressesView({ addresses }: Addressed): Record<string, object[]> {
  return grouped(addresses, ({ version, address: addr }) => ({ version, addr }));
}

function grouped<T>(
  addresses: readonly ServerAddress[],
  view: (one: ServerAddress) => T,
): Record<string, T[]> {
  const views = new Map<string, T[]>();
  for (const one of addresses)
    views.set(one.network, [...(views.get(one.network) ?? []), view(one)]);
  return Object.fromEntries(views);
}

/** Public source: Nova API reference, "Servers IPs". */
const address: SchemaObject = {
  type: 'object',
  properties: {
    version: { type: 'integer', enum: [4, 6] },
    addr: { type: 'string' },
    'OS-EXT-IPS:type': { type: 'string', enum: ['fixed', 'floating'] },
    'OS-EXT-IPS-MAC:mac_addr': { type: 'string' },
  },
  required: ['version', 'addr'],
};

/** Lists of addresses by the names of their networks. */
export const byNetwork: SchemaObject = {
  additionalProperties: { type: 'array', items: address },
};

export const AddressesAnswer = answerClass('AddressesAnswer', {
  addresses: Shown(Object, 'The addresses by the names of their networks.', { schema: byNetwork }),
});

/** One property: the network's name, with its addresses. */
@AdditionalProperties()
export class AddressesByNetwork {}
