import { wireShape } from '../http/wire-shape.js';

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

export interface Port {
  readonly id: string;
  /** Raised by each change. */
  readonly revision: number;
  readonly name: string;
  readonly projectId: string;
  readonly networkId: string;
  /** ACTIVE while it carries packets; DOWN, BUILD or ERROR. */
  readonly status: string;
  readonly macAddress: string;
  readonly addresses: readonly PortAddress[];
  readonly securityGroupIds: readonly string[];
  /** Whether port security is enabled. */
  readonly isSecured: boolean;
  /** Its administrative state. */
  readonly isEnabled: boolean;
  /** Its own policy; null without one. */
  readonly qosPolicyId: string | null;
  /** Both empty while it is unplugged. */
  readonly deviceId: string;
  readonly deviceOwner: string;
  /** Its name on its network; empty without one. */
  readonly dnsName: string;
  /** Empty while it is not plugged in; undefined to an actor that may not know. */
  readonly hostId: string | undefined;
  /** How its host plugs it in; undefined to an actor that may not know. */
  readonly vif: Vif | undefined;
  /** Undefined to an actor that may not know. */
  readonly bindingProfile: Readonly<Record<string, unknown>> | undefined;
}

/** Networking API reference, "Port binding extended attributes". */
export interface Vif {
  /** `ovs`, `user`; `unbound` without a host, `binding_failed` if its host refused it. */
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The device and host of a port. */
export interface PortBinding {
  readonly deviceId: string;
  /** `compute:nova`. */
  readonly deviceOwner: string;
  readonly hostId: string;
  /** Its name on its network; as it is by default. */
  readonly dnsName?: string | undefined;
  /**
   * `tap_uid` is the user who may open its device. `network_namespace` is for a port without a guest:
   * `own` for a namespace that its host makes and its vif names, `host` for addresses of 127.0.0.0/8.
   */
  readonly bindingProfile?: Readonly<Record<string, unknown>>;
}

/** Changes of a port; a list is replaced as a whole. */
export interface PortChange extends Partial<PortBinding> {
  readonly addresses?: readonly Partial<PortAddress>[];
  readonly securityGroupIds?: readonly string[];
  readonly qosPolicyId?: string | null;
}

/** By default, an address of each version, and the project's default security group. */
export interface NewPort extends PortChange {
  readonly networkId: string;
  /** The owner; a service has to name it. */
  readonly projectId?: string;
  readonly name?: string;
  readonly macAddress?: string;
}

export interface Subnet {
  readonly id: string;
  readonly networkId: string;
  readonly ipVersion: 4 | 6;
  readonly cidr: string;
  readonly gatewayIp: string | null;
  readonly hasDhcp: boolean;
  readonly dnsNameservers: readonly string[];
  readonly hostRoutes: readonly { readonly destination: string; readonly nexthop: string }[];
  readonly ipv6AddressMode: string | null;
}

export interface SecurityGroup {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly SecurityGroupRule[];
}

export interface NewSecurityGroup {
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
}

/** Null matches everything. */
export type NewSecurityGroupRule = Omit<SecurityGroupRule, 'id'>;

/** The agent of a host's data plane. */
export interface NetworkAgent {
  readonly host: string;
  readonly isAlive: boolean;
  /** `netdev`, or `user` where nothing reaches the addresses of guests. */
  readonly datapathType: string;
  /** The network namespace of its guests' devices; null without one. */
  readonly namespace: string | null;
}

export interface SecurityGroupRule {
  readonly id: string;
  readonly groupId: string;
  readonly direction: 'ingress' | 'egress';
  readonly ethertype: 'IPv4' | 'IPv6';
  readonly protocol: string | null;
  readonly portRangeMin: number | null;
  readonly portRangeMax: number | null;
  readonly remoteIpPrefix: string | null;
  readonly remoteGroupId: string | null;
}

/** Port and fixed address are null while it is not associated. */
export interface FloatingIp {
  readonly id: string;
  readonly portId: string | null;
  readonly fixedAddress: string | null;
  readonly floatingAddress: string;
}

export const NETWORK = wireShape<Network>({
  id: 'id',
  projectId: 'project_id',
  name: 'name',
  status: 'status',
  mtu: 'mtu',
  isShared: 'shared',
  isExternal: 'router:external',
  subnetIds: 'subnets',
});

const ADDRESS = wireShape<PortAddress>({ subnetId: 'subnet_id', address: 'ip_address' });

/** Also the shape of new ports, and of changes. */
export const PORT = wireShape<Omit<Port, 'vif'>>({
  id: 'id',
  revision: 'revision_number',
  name: 'name',
  projectId: 'project_id',
  networkId: 'network_id',
  status: 'status',
  macAddress: 'mac_address',
  addresses: ['fixed_ips', ADDRESS],
  securityGroupIds: 'security_groups',
  isSecured: 'port_security_enabled',
  isEnabled: 'admin_state_up',
  qosPolicyId: 'qos_policy_id',
  deviceId: 'device_id',
  deviceOwner: 'device_owner',
  dnsName: 'dns_name',
  hostId: 'binding:host_id',
  bindingProfile: 'binding:profile',
});

export function portFromWire(wire: unknown): Port {
  const { 'binding:vif_type': type, 'binding:vif_details': details = {} } = wire as {
    readonly 'binding:vif_type'?: string;
    readonly 'binding:vif_details'?: Vif['details'];
  };
  return { ...PORT.read(wire), vif: type === undefined ? undefined : { type, details } };
}

export const SUBNET = wireShape<Subnet>({
  id: 'id',
  networkId: 'network_id',
  ipVersion: 'ip_version',
  cidr: 'cidr',
  gatewayIp: 'gateway_ip',
  hasDhcp: 'enable_dhcp',
  dnsNameservers: 'dns_nameservers',
  hostRoutes: 'host_routes',
  ipv6AddressMode: 'ipv6_address_mode',
});

export const RULE = wireShape<SecurityGroupRule>({
  id: 'id',
  groupId: 'security_group_id',
  direction: 'direction',
  ethertype: 'ethertype',
  protocol: 'protocol',
  portRangeMin: 'port_range_min',
  portRangeMax: 'port_range_max',
  remoteIpPrefix: 'remote_ip_prefix',
  remoteGroupId: 'remote_group_id',
});

export const SECURITY_GROUP = wireShape<SecurityGroup>({
  id: 'id',
  projectId: 'project_id',
  name: 'name',
  description: 'description',
  rules: ['security_group_rules', RULE],
});

export const FLOATING_IP = wireShape<FloatingIp>({
  id: 'id',
  portId: 'port_id',
  fixedAddress: 'fixed_ip_address',
  floatingAddress: 'floating_ip_address',
});

export function agentFromWire(wire: unknown): NetworkAgent {
  const { host, alive, configurations } = wire as {
    readonly host: string;
    readonly alive: boolean;
    readonly configurations: { network_namespace?: string | null; datapath_type?: string };
  };
  const { network_namespace: namespace = null, datapath_type: datapathType = '' } = configurations;
  return { host, isAlive: alive, datapathType, namespace };
}
