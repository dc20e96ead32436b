/** Networks and ports as sisters of the network service read and write them. */

/** What sister services read of a network. */
export interface Network {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly status: string;
  /** Bytes of the largest packet. */
  readonly mtu: number;
  readonly isShared: boolean;
  readonly isExternal: boolean;
  readonly subnetIds: readonly string[];
}

export interface PortAddress {
  readonly subnetId: string;
  readonly address: string;
}

/** What sister services read of a port. */
export interface Port {
  readonly id: string;
  readonly projectId: string;
  readonly networkId: string;
  /** ACTIVE while it carries packets; DOWN, BUILD or ERROR. */
  readonly status: string;
  readonly macAddress: string;
  readonly addresses: readonly PortAddress[];
  readonly securityGroupIds: readonly string[];
  /** Both empty where it is plugged into nothing. */
  readonly deviceId: string;
  readonly deviceOwner: string;
  /** Empty while it is not plugged in; undefined to an actor that may not know. */
  readonly hostId: string | undefined;
}

/** What it is plugged into. */
export interface PortBinding {
  readonly deviceId: string;
  /** `compute:nova`. */
  readonly deviceOwner: string;
  readonly hostId: string;
}

export interface NewPort extends Partial<PortBinding> {
  readonly networkId: string;
  /** Whose it will be; a service has to name it. */
  readonly projectId?: string;
  readonly name?: string;
  readonly macAddress?: string;
  /** By default one of each version. */
  readonly addresses?: readonly Partial<PortAddress>[];
  /** By default the project's default group. */
  readonly securityGroupIds?: readonly string[];
}

export interface WireNetwork {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly status: string;
  readonly mtu: number;
  readonly shared: boolean;
  readonly 'router:external': boolean;
  readonly subnets: readonly string[];
}

export interface WirePort {
  readonly id: string;
  readonly project_id: string;
  readonly network_id: string;
  readonly status: string;
  readonly mac_address: string;
  readonly fixed_ips: readonly { readonly subnet_id: string; readonly ip_address: string }[];
  readonly security_groups: readonly string[];
  readonly device_id: string;
  readonly device_owner: string;
  readonly 'binding:host_id'?: string;
}

export function networkFromWire(network: WireNetwork): Network {
  const { id, name, status, mtu, shared: isShared, subnets: subnetIds } = network;
  const isExternal = network['router:external'];
  return { id, name, status, mtu, isShared, isExternal, subnetIds, projectId: network.project_id };
}

export function portFromWire(port: WirePort): Port {
  return {
    id: port.id,
    projectId: port.project_id,
    networkId: port.network_id,
    status: port.status,
    macAddress: port.mac_address,
    addresses: port.fixed_ips.map(({ subnet_id: subnetId, ip_address: address }) => ({
      subnetId,
      address,
    })),
    securityGroupIds: port.security_groups,
    deviceId: port.device_id,
    deviceOwner: port.device_owner,
    hostId: port['binding:host_id'],
  };
}

/** What is undefined is left out of JSON. */
export function toWire(port: Partial<NewPort>): object {
  return {
    network_id: port.networkId,
    project_id: port.projectId,
    name: port.name,
    mac_address: port.macAddress,
    fixed_ips: port.addresses?.map(({ subnetId, address }) => ({
      subnet_id: subnetId,
      ip_address: address,
    })),
    security_groups: port.securityGroupIds,
    device_id: port.deviceId,
    device_owner: port.deviceOwner,
    'binding:host_id': port.hostId,
  };
}
