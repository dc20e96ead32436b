/** What becomes of a port's addresses when its client names others. */
import type { Subnet } from '../subnets/subnet.entity.js';
import { wantedAddresses, type WantedAddress } from './fixed-ips.js';
import type { FixedIp, Port } from './port.entity.js';
import type { AskedFixedIp } from './port.resource.js';

export interface AddressChange {
  /** Addresses that it has no longer. */
  readonly gone: readonly FixedIp[];
  /** Addresses that it is to have besides those that stay. */
  readonly wanted: readonly WantedAddress[];
  /** Where the new ones begin, behind those that stay. */
  readonly kept: number;
}

/**
 * An address that is named again stays, and so does one on a subnet that is named without an
 * address.
 * @param port with its new MAC
 */
export function changedAddresses(
  port: Port,
  all: readonly Subnet[],
  asked: readonly AskedFixedIp[],
): AddressChange {
  const left = [...port.fixedIps];
  const wanted: WantedAddress[] = [];
  for (const one of wantedAddresses(port, all, asked)) {
    const at = left.findIndex(
      ({ ip_address, subnet_id }) =>
        one.subnets.some(({ id }) => id === subnet_id) &&
        (one.address === undefined || one.address === ip_address),
    );
    if (at < 0) wanted.push(one);
    else left.splice(at, 1);
  }
  return { gone: left, wanted, kept: port.fixedIps.length };
}
