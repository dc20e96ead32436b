/**
 * What DHCP tells a port besides, as its client names it. Public sources: neutron-lib,
 * `api/definitions/extra_dhcp_opt.py`; neutron, `db/extradhcpopt_db.py`.
 */
import {
  objectOf,
  oneOf,
  orNull,
  Refusal,
  shortened,
  text,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { ownOption } from '../languages/ovn-dhcp.js';

export interface AskedDhcpOption {
  readonly opt_name: string;
  /** Null takes the option away. */
  readonly opt_value: string | null;
  readonly ip_version?: 4 | 6;
}

/** Those whose value may be blank. */
const BLANK = ['router', 'classless-static-route'];
/** Ends of lines are of these, here and in Python. */
const LINE_END = /[^\P{Cc}\t]|[\u2028\u2029]/u;

const given = objectOf<Required<AskedDhcpOption>>(
  { opt_name: text(64), opt_value: orNull(text()), ip_version: oneOf([4, 6]) },
  ['ip_version'],
) as ValueType<AskedDhcpOption>;

/**
 * One that OVN does not know is kept, and not handed over. Of one that it knows, the value is judged
 * now: nobody would hear of it later.
 */
export const dhcpOption: ValueType<AskedDhcpOption> = {
  ...given,
  read: (value, path) => {
    const option = given.read(value, path);
    const { opt_name: name, opt_value: chosen, ip_version: version = 4 } = option;
    requireLine(name);
    if (chosen === null) return option;
    if (!BLANK.includes(name)) requireLine(chosen);
    const told = ownOption(version, name, chosen);
    if (told && 'fault' in told) throw new Refusal(`'${shortened(chosen)}': ${told.fault}`);
    return option;
  },
};

function requireLine(value: string): void {
  if (value.trim() === '')
    throw new Refusal(`'${shortened(value)}' Blank strings are not permitted`);
  if (LINE_END.test(value))
    throw new Refusal(`Multi-line string is not allowed: '${shortened(value)}'`);
}
