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
  /** Whether it is held to its addresses and groups. */
  readonly isSecured: boolean;
  /** Whether it is to carry packets at all. */
  readonly isEnabled: boolean;
  /** Of its own; null where it has none. */
  readonly qosPolicyId: string | null;
  /** Both empty where it is plugged into nothing. */
  readonly deviceId: string;
  readonly deviceOwner: string;
  /** Its name on its network; empty without one. */
  readonly dnsName: string;
  /** Empty while it is not plugged in; undefined to an actor that may not know. */
  readonly hostId: string | undefined;
  /** How its host plugs it in; undefined to an actor that may not know. */
  readonly vif: Vif | undefined;
  /** What whoever plugged it in keeps there; undefined to an actor that may not know. */
  readonly bindingProfile: Readonly<Record<string, unknown>> | undefined;
}

/** Networking API reference, "Port binding extended attributes". */
export interface Vif {
  /** `ovs`, `user`; `unbound` where it is on no host, `binding_failed` where that would not have it. */
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What it is plugged into. */
export interface PortBinding {
  readonly deviceId: string;
  /** `compute:nova`. */
  readonly deviceOwner: string;
  readonly hostId: string;
  /** Its name on its network; as it is by default. */
  readonly dnsName?: string | undefined;
  /**
   * `tap_uid` is the user who may open its device there. `network_namespace` is for a port that no
   * guest has: `own` for one that its host makes a namespace for, which its vif names then, `host`
   * where its addresses are of 127.0.0.0/8.
   */
  readonly bindingProfile?: Readonly<Record<string, unknown>>;
}

/** What may change of a port, all of each that is named. */
export interface PortChange extends Partial<PortBinding> {
  readonly addresses?: readonly Partial<PortAddress>[];
  readonly securityGroupIds?: readonly string[];
  readonly qosPolicyId?: string | null;
}

/** By default it has an address of each version, and is in the project's default group. */
export interface NewPort extends PortChange {
  readonly networkId: string;
  /** Whose it will be; a service has to name it. */
  readonly projectId?: string;
  readonly name?: string;
  readonly macAddress?: string;
}

/** What sister services read of a subnet. */
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

/** What a rule lets through; null for all. */
export type NewSecurityGroupRule = Omit<SecurityGroupRule, 'id'>;

/** What carries packets on a host. */
export interface NetworkAgent {
  readonly host: string;
  readonly isAlive: boolean;
  /** `netdev`, or `user` where guests alone have their addresses, and nothing reaches them. */
  readonly datapathType: string;
  /** In which the devices of its guests are; null where there is none. */
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

/** An address outside that leads to a port. */
/** The port and its address that it leads to are null where it leads to none. */
export interface FloatingIp {
  readonly id: string;
  readonly portId: string | null;
  readonly fixedAddress: string | null;
  readonly floatingAddress: string;
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
  readonly revision_number: number;
  readonly name: string;
  readonly admin_state_up: boolean;
  readonly qos_policy_id: string | null;
  readonly project_id: string;
  readonly network_id: string;
  readonly status: string;
  readonly mac_address: string;
  readonly fixed_ips: readonly { readonly subnet_id: string; readonly ip_address: string }[];
  readonly security_groups: readonly string[];
  readonly port_security_enabled: boolean;
  readonly device_id: string;
  readonly device_owner: string;
  readonly dns_name: string;
  readonly 'binding:host_id'?: string;
  readonly 'binding:vif_type'?: string;
  readonly 'binding:vif_details'?: Readonly<Record<string, unknown>>;
  readonly 'binding:profile'?: Readonly<Record<string, unknown>>;
}

export interface WireSubnet {
  readonly id: string;
  readonly network_id: string;
  readonly ip_version: 4 | 6;
  readonly cidr: string;
  readonly gateway_ip: string | null;
  readonly enable_dhcp: boolean;
  readonly dns_nameservers: readonly string[];
  readonly host_routes: readonly { readonly destination: string; readonly nexthop: string }[];
  readonly ipv6_address_mode: string | null;
}

export interface WireSecurityGroup {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string;
  readonly security_group_rules: readonly WireRule[];
}

interface WireRule {
  readonly id: string;
  readonly security_group_id: string;
  readonly direction: 'ingress' | 'egress';
  readonly ethertype: 'IPv4' | 'IPv6';
  readonly protocol: string | null;
  readonly port_range_min: number | null;
  readonly port_range_max: number | null;
  readonly remote_ip_prefix: string | null;
  readonly remote_group_id: string | null;
}

export interface WireAgent {
  readonly host: string;
  readonly alive: boolean;
  readonly configurations: {
    readonly network_namespace?: string | null;
    readonly datapath_type?: string;
  };
}

export interface WireFloatingIp {
  readonly id: string;
  readonly port_id: string | null;
  readonly fixed_ip_address: string | null;
  readonly floating_ip_address: string;
}

export function networkFromWire(network: WireNetwork): Network {
  const { id, name, status, mtu, shared: isShared, subnets: subnetIds } = network;
  const isExternal = network['router:external'];
  return { id, name, status, mtu, isShared, isExternal, subnetIds, projectId: network.project_id };
}

export function portFromWire(port: WirePort): Port {
  return {
    id: port.id,
    revision: port.revision_number,
    name: port.name,
    isEnabled: port.admin_state_up,
    qosPolicyId: port.qos_policy_id,
    projectId: port.project_id,
    networkId: port.network_id,
    status: port.status,
    macAddress: port.mac_address,
    addresses: port.fixed_ips.map(({ subnet_id: subnetId, ip_address: address }) => ({
      subnetId,
      address,
    })),
    securityGroupIds: port.security_groups,
    isSecured: port.port_security_enabled,
    deviceId: port.device_id,
    deviceOwner: port.device_owner,
    dnsName: port.dns_name,
    hostId: port['binding:host_id'],
    vif: vifFromWire(port),
    bindingProfile: port['binding:profile'],
  };
}

function vifFromWire(port: WirePort): Vif | undefined {
  const type = port['binding:vif_type'];
  return type === undefined ? undefined : { type, details: port['binding:vif_details'] ?? {} };
}

export function subnetFromWire(subnet: WireSubnet): Subnet {
  return {
    id: subnet.id,
    networkId: subnet.network_id,
    ipVersion: subnet.ip_version,
    cidr: subnet.cidr,
    gatewayIp: subnet.gateway_ip,
    hasDhcp: subnet.enable_dhcp,
    dnsNameservers: subnet.dns_nameservers,
    hostRoutes: subnet.host_routes,
    ipv6AddressMode: subnet.ipv6_address_mode,
  };
}

export function securityGroupFromWire(group: WireSecurityGroup): SecurityGroup {
  const { id, project_id: projectId, name, description, security_group_rules: rules } = group;
  return { id, projectId, name, description, rules: rules.map(ruleFromWire) };
}

function ruleFromWire(rule: WireRule): SecurityGroupRule {
  return {
    id: rule.id,
    groupId: rule.security_group_id,
    direction: rule.direction,
    ethertype: rule.ethertype,
    protocol: rule.protocol,
    portRangeMin: rule.port_range_min,
    portRangeMax: rule.port_range_max,
    remoteIpPrefix: rule.remote_ip_prefix,
    remoteGroupId: rule.remote_group_id,
  };
}

export function floatingIpFromWire(floatingIp: WireFloatingIp): FloatingIp {
  const { id, port_id, fixed_ip_address, floating_ip_address } = floatingIp;
  return {
    id,
    portId: port_id,
    fixedAddress: fixed_ip_address,
    floatingAddress: floating_ip_address,
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
    qos_policy_id: port.qosPolicyId,
    device_id: port.deviceId,
    device_owner: port.deviceOwner,
    dns_name: port.dnsName,
    'binding:host_id': port.hostId,
    'binding:profile': port.bindingProfile,
  };
}

export function ruleToWire(rule: NewSecurityGroupRule): object {
  return {
    security_group_id: rule.groupId,
    direction: rule.direction,
    ethertype: rule.ethertype,
    protocol: rule.protocol,
    port_range_min: rule.portRangeMin,
    port_range_max: rule.portRangeMax,
    remote_ip_prefix: rule.remoteIpPrefix,
    remote_group_id: rule.remoteGroupId,
  };
}

export function agentFromWire({ host, alive, configurations }: WireAgent): NetworkAgent {
  const { network_namespace: namespace = null, datapath_type: datapathType = '' } = configurations;
  return { host, isAlive: alive, datapathType, namespace };
}
