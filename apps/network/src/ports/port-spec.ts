import type { RequestContext } from '@cumulet/common/context/request-context';
import { canonicalAddress } from '../addresses/address-types.js';
import type { PortQos, PortSpec } from '../data-plane/data-plane.js';
import { LOAD_BALANCER_OWNER } from './device-owner.js';
import type { Port } from './port.entity.js';
import { namespaceSpecOf, tapSpecOf } from './port.view.js';
import { rulesOfPolicies } from '../qos/qos-binding.js';

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

/** The rules of the port's own policy, or else of its network's. */
export async function qosOf(
  ctx: RequestContext,
  port: Pick<Port, 'qosPolicyId' | 'qosNetworkPolicyId' | 'deviceOwner'>,
): Promise<PortQos> {
  const isOwn = port.deviceOwner.startsWith('network:');
  const policyId = port.qosPolicyId ?? (isOwn ? null : port.qosNetworkPolicyId);
  return (await rulesOfPolicies(ctx, [policyId]))(policyId);
}
