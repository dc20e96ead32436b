/**
 * What the security group of a VIP lets in: the ports of its listeners, from where they may be
 * connected to. Pure. Public source: octavia, `network/drivers/neutron/allowed_address_pairs.py`.
 */
import { cidrAround, formatCidr, parseIp } from '@cumulet/common/addresses/ip-address';
import type { SecurityGroupRule } from '@cumulet/clients/network/network-wire';
import type { Listener } from '../tree/listener.entity.js';

export type LetIn = Pick<
  SecurityGroupRule,
  'ethertype' | 'protocol' | 'portRangeMin' | 'portRangeMax' | 'remoteIpPrefix'
>;

type ListeningPort = Pick<Listener, 'protocol' | 'protocolPort' | 'allowedCidrs'>;

/** @param addresses the VIP's, of both versions of IP */
export function rulesOf(
  listeners: readonly ListeningPort[],
  addresses: readonly string[],
): readonly LetIn[] {
  const versions = [...new Set(addresses.map(ethertypeOf))];
  const all = listeners.flatMap(({ protocol, protocolPort, allowedCidrs }) =>
    versions.flatMap((ethertype) =>
      prefixesOf(allowedCidrs, ethertype).map((remoteIpPrefix): LetIn => {
        const port = { portRangeMin: protocolPort, portRangeMax: protocolPort };
        return { ethertype, protocol: transportOf(protocol), ...port, remoteIpPrefix };
      }),
    ),
  );
  return [...new Map(all.map((rule) => [keyOf(rule), rule])).values()];
}

/** @returns what to add, and the ids of what to take away: all else that lets something in */
export function differenceOf(
  wanted: readonly LetIn[],
  known: readonly SecurityGroupRule[],
): { readonly missing: readonly LetIn[]; readonly surplus: readonly string[] } {
  const ingress = known.filter(({ direction }) => direction === 'ingress');
  const there = new Set(ingress.map(keyOf));
  const keys = new Set(wanted.map(keyOf));
  return {
    missing: wanted.filter((rule) => !there.has(keyOf(rule))),
    surplus: ingress.filter((rule) => !keys.has(keyOf(rule))).map(({ id }) => id),
  };
}

/** Those of the version; null for all of it. */
function prefixesOf(cidrs: readonly string[], ethertype: string): readonly (string | null)[] {
  if (cidrs.length === 0) return [null];
  return cidrs.filter((cidr) => ethertypeOf(cidr) === ethertype).map(canonical);
}

function ethertypeOf(address: string): LetIn['ethertype'] {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

function transportOf(protocol: string): string {
  return protocol === 'UDP' || protocol === 'SCTP' ? protocol.toLowerCase() : 'tcp';
}

/** As the network service shows it. */
function canonical(text: string): string {
  const [address = '', prefix = ''] = text.split('/');
  const ip = parseIp(address);
  return ip ? formatCidr(cidrAround(ip, Number(prefix))) : text;
}

function keyOf({ ethertype, protocol, portRangeMin, portRangeMax, remoteIpPrefix }: LetIn): string {
  return [ethertype, protocol, portRangeMin, portRangeMax, remoteIpPrefix].join(' ');
}
