import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import {
  objectOf,
  oneOf,
  orNull,
  Refusal,
  shortened,
  text,
} from '@cumulet/common/resources/value-type';
import type { ValueType } from '@cumulet/common/resources/value-type';
import { canonicalAddress } from '../addresses/address-types.js';
import { expectWithin } from '../resource/bounds.js';
import * as errors from './port.errors.js';
import { ownOption } from '../languages/ovn-dhcp.js';

export interface AddressPair {
  readonly ip_address: string;
  readonly mac_address: string;
}

export interface DhcpOption {
  readonly opt_name: string;
  readonly opt_value: string;
  readonly ip_version: 4 | 6;
}

/**
 * An extra DHCP option by the client's name. Public sources: neutron-lib,
 * `api/definitions/extra_dhcp_opt.py`; neutron, `db/extradhcpopt_db.py`.
 */
export interface AskedDhcpOption {
  readonly opt_name: string;
  /** Null removes the option. */
  readonly opt_value: string | null;
  readonly ip_version?: 4 | 6;
}

/** Options whose value may be blank. */
const BLANK = ['router', 'classless-static-route'];
/** Line ends in JavaScript and Python. */
const LINE_END = /[^\P{Cc}\t]|[\u2028\u2029]/u;

const given = objectOf<Required<AskedDhcpOption>>(
  { opt_name: text(64), opt_value: orNull(text()), ip_version: oneOf([4, 6]) },
  ['ip_version'],
) as ValueType<AskedDhcpOption>;

/**
 * An option that OVN does not know is stored but not applied. The value of a known one is validated
 * here, since nobody would see an error later.
 */
export const dhcpOption: ValueType<AskedDhcpOption> = {
  ...given,
  read: (value, path) => {
    const option = given.read(value, path);
    const { opt_name: name, opt_value: chosen, ip_version: version = 4 } = option;
    requireLine(name);
    if (chosen === null) return option;
    if (!BLANK.includes(name)) requireLine(chosen);
    const own = ownOption(version, name, chosen);
    if (own && 'fault' in own) throw new Refusal(`'${shortened(chosen)}': ${own.fault}`);
    return option;
  },
};

function requireLine(value: string): void {
  if (value.trim() === '')
    throw new Refusal(`'${shortened(value)}' Blank strings are not permitted`);
  if (LINE_END.test(value))
    throw new Refusal(`Multi-line string is not allowed: '${shortened(value)}'`);
}

const MAX_PAIRS = 10;

/**
 * @throws AddressPairAndPortSecurityRequiredError if the port has no port security
 * @throws AllowedAddressPairExhaustedError for too many
 */
export function pairsOf(
  asked: readonly (Omit<AddressPair, 'mac_address'> & Partial<AddressPair>)[],
  {
    macAddress,
    portSecurityEnabled,
  }: { readonly macAddress: string; readonly portSecurityEnabled: boolean },
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

/** Options that are not named stay unchanged. @throws BadRequestError for too many */
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
