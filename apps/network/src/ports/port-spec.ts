import type { RequestContext } from '@cumulet/common/context/request-context';
import { canonicalAddress } from '../addresses/address-types.js';
import type { PortNamespace, PortQos, PortSpec } from '../data-plane/data-plane.js';
import { CHECK_SOURCE_OWNER, LOAD_BALANCER_OWNER } from './device-owner.js';
import type { Port } from './port.entity.js';
import { rulesOfPolicies } from '../qos/qos-binding.js';

/** Key of `binding:profile`: the UID of the user who may open the port's device on its host. */
export const TAP_UID = 'tap_uid';

/**
 * Key of `binding:profile`: which network namespace has the addresses of a port that a program of
 * the host uses.
 */
export const NETWORK_NAMESPACE = 'network_namespace';
export const NAMESPACES: readonly PortNamespace[] = ['own', 'host'];

/** The port as the data plane gets it. @param qos the rules of its policy */
export function portSpecOf(port: Port, qos: PortQos): PortSpec {
  const { id, networkId, macAddress, adminStateUp, portSecurityEnabled, securityGroups } = port;
  const { deviceId, deviceOwner, projectId, trunkParent } = port;
  return {
    id,
    networkId,
    macAddress,
    adminStateUp,
    portSecurityEnabled,
    securityGroups,
    deviceId,
    projectId,
    host: port.hostId === '' ? null : port.hostId,
    parent: port.trunkParent,
    tap: tapSpecOf(port),
    namespace: namespaceSpecOf(port),
    isVip: deviceOwner === LOAD_BALANCER_OWNER && port.hostId === '',
    prepared: port.preparedHosts.map(({ host, bindingProfile }) => ({
      host,
      tap: tapSpecOf({ hostId: host, deviceOwner, trunkParent, bindingProfile }),
    })),
    addresses: port.fixedIps.map(({ subnet_id, ip_address }) => ({
      subnetId: subnet_id,
      address: ip_address,
    })),
    addressPairs: port.allowedAddressPairs.map(({ ip_address, mac_address }) => ({
      address: canonicalAddress(ip_address),
      macAddress: mac_address,
    })),
    dhcpOptions: port.extraDhcpOpts.map(({ opt_name, opt_value, ip_version }) => ({
      name: opt_name,
      value: opt_value,
      ipVersion: ip_version,
    })),
    qos,
  };
}

export function namespaceSpecOf({
  bindingProfile,
}: Pick<Port, 'bindingProfile'>): PortSpec['namespace'] {
  return (bindingProfile[NETWORK_NAMESPACE] as PortNamespace | undefined) ?? null;
}

/**
 * Ports of the network service, subports and ports of programs of the host have no device. The
 * device owner of a bound port is ignored: if a client changed it, the device would be deleted and
 * created anew, and a program that has it open would hold the old one.
 */
export function tapSpecOf({
  hostId,
  deviceOwner,
  bindingProfile,
  trunkParent,
}: Pick<Port, 'hostId' | 'deviceOwner' | 'bindingProfile' | 'trunkParent'>): PortSpec['tap'] {
  const hasServiceOwner = deviceOwner.startsWith('network:') || deviceOwner === CHECK_SOURCE_OWNER;
  const isOwn = hasServiceOwner && hostId === '';
  if (isOwn || trunkParent !== null) return null;
  if (namespaceSpecOf({ bindingProfile }) !== null) return null;
  return { uid: (bindingProfile[TAP_UID] as number | undefined) ?? null };
}

/** The rules of the port's own policy, or else of its network's. */
export async function qosOf(
  ctx: RequestContext,
  port: Pick<Port, 'qosPolicyId' | 'qosNetworkPolicyId' | 'deviceOwner'>,
): Promise<PortQos> {
  const isOwn = port.deviceOwner.startsWith('network:');
  const policyId = port.qosPolicyId ?? (isOwn ? null : port.qosNetworkPolicyId);
  return (await rulesOfPolicies(ctx, [policyId]))(policyId);
}
