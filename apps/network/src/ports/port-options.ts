/** What a port may send, and what DHCP tells it, from what its client named. */
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { canonicalAddress } from '../addresses/address-types.js';
import { expectWithin } from '../resource/bounds.js';
import type { AskedDhcpOption } from './dhcp-option.js';
import type { AddressPair, DhcpOption, Port } from './port.entity.js';
import * as errors from './port.errors.js';

const MAX_PAIRS = 10;

/**
 * @throws AddressPairAndPortSecurityRequiredError where nothing holds the port to its addresses
 * @throws AllowedAddressPairExhaustedError for too many
 */
export function pairsOf(
  asked: readonly (Omit<AddressPair, 'mac_address'> & Partial<AddressPair>)[],
  { macAddress, portSecurityEnabled }: Pick<Port, 'macAddress' | 'portSecurityEnabled'>,
): AddressPair[] {
  if (asked.length > 0 && !portSecurityEnabled)
    throw new errors.AddressPairAndPortSecurityRequiredError();
  if (asked.length > MAX_PAIRS) throw new errors.AllowedAddressPairExhaustedError(MAX_PAIRS);
  const pairs = asked.map(({ ip_address, mac_address = macAddress }) => ({
    ip_address,
    mac_address,
  }));
  const names = pairs.map(
    ({ ip_address, mac_address }) => `${mac_address} ${canonicalAddress(ip_address)}`,
  );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new InvalidInputError(`Request contains duplicate address pair: ${twice}`);
  return pairs;
}

/** Options that are not named stay as they are. @throws BadRequestError for too many */
export function dhcpOptionsOf(
  asked: readonly AskedDhcpOption[],
  before: readonly DhcpOption[],
): DhcpOption[] {
  const named = asked.map(({ ip_version = 4, ...one }) => ({ ...one, ip_version }));
  const isNamed = (option: DhcpOption): boolean =>
    named.some((one) => one.opt_name === option.opt_name && one.ip_version === option.ip_version);
  const next = [
    ...before.filter((option) => !isNamed(option)),
    ...named.flatMap(({ opt_name, opt_value, ip_version }) =>
      opt_value === null ? [] : [{ opt_name, opt_value, ip_version }],
    ),
  ];
  expectWithin('extra_dhcp_opts', next.length, before.length);
  return next;
}
