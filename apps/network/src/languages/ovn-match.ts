/**
 * OVN's expressions, by which ACLs and QoS rules match packets, built from terms with a known field
 * and a parsed value.
 *
 * Always holds: a term is a single comparison, whatever its values contain. Public source:
 * ovn-sb(5), "Logical_Flow", "Expression Language".
 */
import { canonicalIp, formatCidr, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Code } from '@cumulet/common/languages/code';

export type OvnMatch = Code<'ovn-match'>;

export type Ip = 'ip4' | 'ip6';
export type End = 'src' | 'dst';
type Protocol = 'icmp4' | 'icmp6' | 'sctp' | 'tcp' | 'udp';
type NumberField = 'ip.proto' | `${Protocol}.${'dst' | 'type' | 'code'}`;

/** The conjunction of the terms. */
export function all(...terms: readonly OvnMatch[]): OvnMatch {
  return terms.join(' && ') as OvnMatch;
}

export function isOf(protocol: Ip | 'ip' | Protocol): OvnMatch {
  return protocol as string as OvnMatch;
}

export function isPort(side: 'inport' | 'outport', portId: string): OvnMatch {
  return `${side} == ${quoted(portId)}` as OvnMatch;
}

export function isInGroup(side: 'inport' | 'outport', portGroup: string): OvnMatch {
  return `${side} == @${identifier(portGroup)}` as OvnMatch;
}

/** Matches the addresses of the ports of a port group, which OVN maintains. */
export function isOfGroup(ip: Ip, end: End, portGroup: string): OvnMatch {
  return `${ip}.${end} == $${identifier(portGroup)}_${ip}` as OvnMatch;
}

/**
 * Matches any of these addresses; OVN has no empty set.
 * @param texts addresses and CIDRs; others match nothing
 * @returns undefined if none of them is of this IP version
 */
export function isAt(ip: Ip, end: End, texts: readonly string[]): OvnMatch | undefined {
  const isSix = ip === 'ip6';
  const known = texts.flatMap((text) => {
    const cidr = parseCidr(text);
    const written = cidr ? formatCidr(cidr) : canonicalIp(text);
    return written !== undefined && written.includes(':') === isSix ? [written] : [];
  });
  if (known.length === 0) return undefined;
  const set = known.length === 1 ? known.join('') : `{${known.join(', ')}}`;
  return `${ip}.${end} == ${set}` as OvnMatch;
}

/** @throws RangeError unless `value` is a natural number */
export function compares(field: NumberField, how: '==' | '>=' | '<=', value: number): OvnMatch {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`not a natural number: ${value}`);
  return `${field} ${how} ${value}` as OvnMatch;
}

/** Matches on the host where the port is. */
export function isResident(port: string): OvnMatch {
  return `is_chassis_resident(${quoted(port)})` as OvnMatch;
}

/** As in JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Replaces characters that identifiers cannot contain. */
export function identifier(text: string): string {
  return text.replaceAll(/\W/g, '_');
}
