import type { PortQos, PortSpec } from '../data-plane/data-plane.js';
import type { Port } from './port.entity.js';

/** In `binding:profile`: the number of the user who may open the port's device on its host. */
export const TAP_UID = 'tap_uid';

/** What the data plane is told of a port. @param qos what its policy says */
export function portSpecOf(port: Port, qos: PortQos): PortSpec {
  const { id, networkId, macAddress, adminStateUp, portSecurityEnabled, securityGroups } = port;
  const { deviceId, deviceOwner, projectId, trunkParent } = port;
  return {
    ...{ id, networkId, macAddress, adminStateUp, portSecurityEnabled, securityGroups },
    ...{ deviceId, projectId },
    host: port.hostId === '' ? null : port.hostId,
    parent: port.trunkParent,
    tap: tapSpecOf(port),
    prepared: port.preparedHosts.map(({ host, bindingProfile }) => ({
      host,
      tap: tapSpecOf({ deviceOwner, trunkParent, bindingProfile }),
    })),
    addresses: port.fixedIps.map(({ subnet_id, ip_address }) => ({
      subnetId: subnet_id,
      address: ip_address,
    })),
    addressPairs: port.allowedAddressPairs.map(({ ip_address, mac_address }) => ({
      address: ip_address,
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

/** What the network has for itself, it plugs in by itself. */
export function tapSpecOf({
  deviceOwner,
  bindingProfile,
  trunkParent,
}: Pick<Port, 'deviceOwner' | 'bindingProfile' | 'trunkParent'>): PortSpec['tap'] {
  if (deviceOwner.startsWith('network:') || trunkParent !== null) return null;
  return { uid: (bindingProfile[TAP_UID] as number | undefined) ?? null };
}
