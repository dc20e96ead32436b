/** The addresses of a server on the wire, by the names of their networks. Pure. */
import type { Server, ServerAddress } from '../server.entity.js';
import type { AddressView, PlainAddressView } from './address.answers.js';

type Addressed = Pick<Server, 'addresses'>;

/** As in a server's details. */
export function addressesView({ addresses }: Addressed): Record<string, AddressView[]> {
  return byNetwork(addresses, ({ version, address, type, macAddress }) => ({
    version,
    addr: address,
    'OS-EXT-IPS:type': type,
    'OS-EXT-IPS-MAC:mac_addr': macAddress,
  }));
}

/** As in its list of addresses, which says less. */
export function plainAddressesView({ addresses }: Addressed): Record<string, PlainAddressView[]> {
  return byNetwork(addresses, ({ version, address: addr }) => ({ version, addr }));
}

function byNetwork<T>(
  addresses: readonly ServerAddress[],
  view: (one: ServerAddress) => T,
): Record<string, T[]> {
  const views = new Map<string, T[]>();
  for (const one of addresses)
    views.set(one.network, [...(views.get(one.network) ?? []), view(one)]);
  return Object.fromEntries(views);
}
