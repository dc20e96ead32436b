/** What a VIP's port is to be, from the load balancer's row. Pure. */
import type { NewPort, Port, PortChange } from '@cumulet/clients/network/network-wire';
import { isLoopback } from '@cumulet/common/addresses/ip-address';
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

/** What the row takes from its port. */
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
