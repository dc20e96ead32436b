/** The port of a VIP and the rules of its security group, from the rows. Pure. */
import type {
  NewPort,
  Port,
  PortChange,
  SecurityGroupRule,
} from '@cumulet/clients/network/network-wire';
import { cidrAround, formatCidr, isLoopback, parseIp } from '@cumulet/common/addresses/ip-address';
import { conflict, errorOf } from '@cumulet/common/errors/domain-error';
import type { Listener } from '../tree/listener.entity.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';

/** Public source: octavia, `common/constants.py`: `OCTAVIA_OWNER`, and `utils.get_vip_port_name`. */
export const DEVICE_OWNER = 'Octavia';

export function deviceOf({ id }: Pick<LoadBalancer, 'id'>): string {
  return `lb-${id}`;
}

/** Whether its addresses are the host's own. */
export function isOnHost({ vipAddress }: Pick<LoadBalancer, 'vipAddress'>): boolean {
  return vipAddress !== null && isLoopback(vipAddress);
}

/** @param networkId that the row may not have yet */
export function newPortOf(row: LoadBalancer, networkId: string): NewPort {
  const { vipSubnetId, vipAddress, additionalVips, vipQosPolicyId: qosPolicyId, projectId } = row;
  const addresses = [
    { subnetId: vipSubnetId, address: vipAddress },
    ...additionalVips.map((vip) => ({ subnetId: vip.subnet_id, address: vip.ip_address })),
  ].map(({ subnetId, address }) => ({
    ...(subnetId === null ? {} : { subnetId }),
    ...(address === null ? {} : { address }),
  }));
  return {
    networkId,
    projectId,
    name: `octavia-${deviceOf(row)}`,
    deviceId: deviceOf(row),
    deviceOwner: DEVICE_OWNER,
    qosPolicyId,
    ...(vipSubnetId === null && vipAddress === null ? {} : { addresses }),
  };
}

/** The columns that follow from the port. */
export function vipOf(port: Port, row: LoadBalancer): Partial<LoadBalancer> {
  const at = (subnetId: string | null) => port.addresses.find((one) => one.subnetId === subnetId);
  const { address = null, subnetId = null } = at(row.vipSubnetId) ?? port.addresses[0] ?? {};
  return {
    vipPortId: port.id,
    vipAddress: row.vipAddress ?? address,
    vipSubnetId: row.vipSubnetId ?? subnetId,
    vipNetworkId: port.networkId,
    additionalVips: row.additionalVips.map((vip) => ({
      subnet_id: vip.subnet_id,
      ip_address: vip.ip_address ?? at(vip.subnet_id)?.address ?? null,
    })),
  };
}

/**
 * How the port is to be on the row's host.
 * @param groupIds undefined for those that it has
 * @returns undefined if it is like that already
 */
export function bindingOf(
  row: LoadBalancer,
  port: Port,
  groupIds: readonly string[] | undefined,
): PortChange | undefined {
  const { vipQosPolicyId: qosPolicyId, host } = row;
  const place = isOnHost(row) ? 'host' : 'own';
  const isBound =
    port.hostId === host &&
    port.deviceId === deviceOf(row) &&
    port.deviceOwner === DEVICE_OWNER &&
    port.bindingProfile?.['network_namespace'] === place;
  const isGrouped = groupIds === undefined || sameSet(groupIds, port.securityGroupIds);
  if (isBound && isGrouped && port.qosPolicyId === qosPolicyId) return undefined;
  return {
    hostId: host ?? '',
    deviceId: deviceOf(row),
    deviceOwner: DEVICE_OWNER,
    qosPolicyId,
    bindingProfile: { network_namespace: place },
    ...(isGrouped ? {} : { securityGroupIds: groupIds }),
  };
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

export type LetIn = Pick<
  SecurityGroupRule,
  'ethertype' | 'protocol' | 'portRangeMin' | 'portRangeMax' | 'remoteIpPrefix'
>;

type ListeningPort = Pick<Listener, 'protocol' | 'protocolPort' | 'allowedCidrs'>;

/**
 * The ports of the listeners, from where they may be connected to. Public source: octavia,
 * `network/drivers/neutron/allowed_address_pairs.py`.
 * @param addresses the VIP's, of both versions of IP
 */
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

/** The CIDRs of that IP version; null means any address. */
function prefixesOf(cidrs: readonly string[], ethertype: string): readonly (string | null)[] {
  if (cidrs.length === 0) return [null];
  return cidrs.filter((cidr) => ethertypeOf(cidr) === ethertype).map(shownCidr);
}

function ethertypeOf(address: string): LetIn['ethertype'] {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

function transportOf(protocol: string): string {
  return protocol === 'UDP' || protocol === 'SCTP' ? protocol.toLowerCase() : 'tcp';
}

/** As the network service shows it. */
function shownCidr(text: string): string {
  const [address = '', prefix = ''] = text.split('/');
  const ip = parseIp(address);
  return ip ? formatCidr(cidrAround(ip, Number(prefix))) : text;
}

function keyOf({ ethertype, protocol, portRangeMin, portRangeMax, remoteIpPrefix }: LetIn): string {
  return [ethertype, protocol, portRangeMin, portRangeMax, remoteIpPrefix].join(' ');
}

/** Somebody else has the port that the load balancer was given. */
export class VipPortInUseError extends conflict(
  (id: string, deviceId: string) => `Port ${id} is already used by device ${deviceId}.`,
) {}

export class VipPortMissingError extends conflict(
  (id: string) => `Port ${id} of the VIP no longer exists.`,
) {}

/** Its host cannot have it. */
export class VipBindingFailedError extends conflict(
  (id: string, reason: string) => `The VIP's port ${id} could not be bound on its host: ${reason}`,
) {}

/** Transient, since the agent may be starting. */
export class VipHostUnknownError extends errorOf(
  'transient',
  (host: string) => `The network service has no agent on host ${host}.`,
) {}
