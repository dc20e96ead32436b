/**
 * Carries the cloud's packets. The interface's comments are the contract, and
 * `data-plane-contract.fixture.ts` tests it for every driver.
 *
 * Always holds: every call is idempotent and describes its resource completely. It may be repeated
 * after a crash, and parts that it does not name are removed.
 */
import type { BalancerHealth, BalancerSpec } from './balancer-spec.js';

export interface SubnetSpec {
  readonly id: string;
  readonly cidr: string;
  readonly gatewayIp: string | null;
  readonly enableDhcp: boolean;
  readonly dnsNameservers: readonly string[];
  readonly hostRoutes: readonly { readonly destination: string; readonly nexthop: string }[];
  readonly ipv6RaMode: string | null;
  readonly ipv6AddressMode: string | null;
}

/** Serves metadata on each host of the network's guests. It is part of the network's spec. */
export interface MetadataPortSpec {
  readonly portId: string;
  readonly macAddress: string;
  /** One on each IPv4 subnet with DHCP; `cidr` is that of the subnet. */
  readonly addresses: readonly {
    readonly subnetId: string;
    readonly address: string;
    readonly cidr: string;
  }[];
}

export interface NetworkSpec {
  readonly id: string;
  readonly projectId: string;
  readonly adminStateUp: boolean;
  /** Bytes. */
  readonly mtu: number;
  readonly dnsDomain: string;
  readonly networkType: string;
  readonly physicalNetwork: string | null;
  readonly segmentationId: number | null;
  readonly subnets: readonly SubnetSpec[];
  /** Null if no IPv4 subnet has DHCP. */
  readonly metadataPort: MetadataPortSpec | null;
}

export interface SecurityGroupSpec {
  readonly id: string;
  /** Whether replies to permitted outgoing traffic are let in. */
  readonly stateful: boolean;
  readonly rules: readonly {
    readonly id: string;
    readonly direction: 'ingress' | 'egress';
    readonly ethertype: 'IPv4' | 'IPv6';
    /** A name or a number; null for all. */
    readonly protocol: string | null;
    readonly portRangeMin: number | null;
    readonly portRangeMax: number | null;
    /** Remote CIDRs of the rule's ethertype; null for all. An empty list matches nothing. */
    readonly remotePrefixes: readonly string[] | null;
    readonly remoteGroupId: string | null;
  }[];
}

export interface BandwidthLimit {
  /** Kilobits per second, at least 1. */
  readonly maxKbps: number;
  /** Kilobits; 0 for a burst that suits the limit. */
  readonly maxBurstKbps: number;
}

/** Limits and marks of traffic; null for none. */
export interface PortQos {
  readonly ingress: BandwidthLimit | null;
  readonly egress: BandwidthLimit | null;
  readonly dscpMark: number | null;
}

export const NO_QOS: PortQos = { ingress: null, egress: null, dscpMark: null };

/**
 * The device that a host creates for a port and a hypervisor opens. There is none if whoever plugs
 * the port in brings a device.
 */
export interface TapSpec {
  /** UID of the user who may open it; null for the host's default. */
  readonly uid: number | null;
}

/**
 * Where the addresses of a port are that a program of the host uses, rather than a guest. `own`: in
 * a network namespace that the host creates. `host`: the machine's own, which has all of
 * 127.0.0.0/8.
 */
export type PortNamespace = 'own' | 'host';

export interface PortSpec {
  readonly id: string;
  readonly networkId: string;
  readonly macAddress: string;
  readonly addresses: readonly { readonly subnetId: string; readonly address: string }[];
  readonly adminStateUp: boolean;
  /** The host where the port is bound; null if unbound. */
  readonly host: string | null;
  /** The trunk's port that carries its packets, and the VLAN; null if it is not a subport. */
  readonly parent: { readonly portId: string; readonly tag: number } | null;
  readonly tap: TapSpec | null;
  /** Null for a port that no program of the host uses. */
  readonly namespace: PortNamespace | null;
  /** Whether it only reserves addresses, at which a balancer answers. */
  readonly isVip: boolean;
  /** Further hosts that receive its packets, because it may move there. */
  readonly prepared: readonly { readonly host: string; readonly tap: TapSpec | null }[];
  /** The ID of its device, by which metadata identifies a server; may be empty. */
  readonly deviceId: string;
  readonly projectId: string;
  readonly portSecurityEnabled: boolean;
  /** IDs. */
  readonly securityGroups: readonly string[];
  readonly addressPairs: readonly { readonly address: string; readonly macAddress: string }[];
  readonly qos: PortQos;
  readonly dhcpOptions: readonly {
    readonly name: string;
    readonly value: string;
    readonly ipVersion: number;
  }[];
}

export interface RouterAddressSpec {
  readonly subnetId: string;
  readonly address: string;
  /** The CIDR of the subnet, whose prefix length the address gets. */
  readonly cidr: string;
  /** The subnet's gateway, which is the next hop of a gateway port's default route. */
  readonly gatewayIp: string | null;
  /** The RA mode of the subnet; null if the router advertises nothing. */
  readonly ipv6RaMode: string | null;
}

/** A port of a router, part of the router's spec. It may have been an ordinary port before. */
export interface RouterPortSpec {
  readonly portId: string;
  readonly networkId: string;
  readonly macAddress: string;
  /** The MTU of its network in bytes. */
  readonly mtu: number;
  readonly adminStateUp: boolean;
  /** Empty for a gateway on a network without subnets, which routes nowhere. */
  readonly addresses: readonly RouterAddressSpec[];
}

export interface GatewaySpec extends RouterPortSpec {
  /** Whether IPv4 traffic from the interfaces' subnets is translated to the gateway's address. */
  readonly enableSnat: boolean;
  /** Applies to all traffic of the gateway except that of floating IPs with their own limits. */
  readonly qos: PortQos;
}

/** Translates the address to that of one port, in both directions. */
export interface FloatingIpSpec {
  readonly id: string;
  readonly address: string;
  /** The external network. */
  readonly networkId: string;
  /** The MAC address of the floating IP's own port. */
  readonly macAddress: string;
  readonly fixedAddress: string;
  readonly fixedPortId: string;
  readonly qos: PortQos;
}

/** Forwards some ports of a floating IP that is not associated with a port. */
export interface PortForwardingSpec {
  readonly id: string;
  readonly address: string;
  /** The external network. */
  readonly networkId: string;
  readonly protocol: string;
  /** The first and the last. */
  readonly externalPorts: readonly [number, number];
  readonly internalAddress: string;
  readonly internalPortId: string;
  /** As many as external ports, or a single one. */
  readonly internalPorts: readonly [number, number];
}

export interface RouterSpec {
  readonly id: string;
  readonly adminStateUp: boolean;
  /** Preferred zones for its gateways; empty for any. */
  readonly availabilityZones: readonly string[];
  readonly interfaces: readonly RouterPortSpec[];
  /** The first has the default route. */
  readonly gateways: readonly GatewaySpec[];
  readonly routes: readonly { readonly destination: string; readonly nexthop: string }[];
  readonly floatingIps: readonly FloatingIpSpec[];
  readonly portForwardings: readonly PortForwardingSpec[];
}

export interface PortStatus {
  readonly id: string;
  /** Whether its host has plugged it in. */
  readonly isUp: boolean;
}

export interface HostStatus {
  /** The name, as in `binding:host_id`. */
  readonly host: string;
  /** Neutron's type of the agent on the host, and the program. */
  readonly agentType: string;
  readonly binary: string;
  /** The time of its last heartbeat. */
  readonly seenAt: Date;
  /** Whether it prefers to host routers' gateways. */
  readonly isGateway: boolean;
  readonly availabilityZones: readonly string[];
  /** Bridges by physical network. */
  readonly bridgeMappings: Readonly<Record<string, string>>;
  /** The datapath of its switch: `netdev` for userspace. */
  readonly datapathType: string;
  /** The network namespace of its switch and guests' devices; null for the host's own. */
  readonly networkNamespace: string | null;
}

export interface Inventory {
  readonly networks: readonly string[];
  readonly securityGroups: readonly string[];
  /** Without routers' ports. */
  readonly ports: readonly PortStatus[];
  readonly routers: readonly string[];
  readonly balancers: readonly string[];
}

/** How a host plugs in a port that is bound to it. */
export interface Vif {
  /**
   * `ovs`: a device of the virtual switch, whose `iface-id` is the port's ID. `user`: a NIC on
   * QEMU's user-mode network.
   */
  readonly type: 'ovs' | 'user';
  readonly details: {
    /** `l2`: other ports of the network can reach it. `none`: nothing can. */
    readonly connectivity: 'l2' | 'none';
    /** Whether security groups are enforced. */
    readonly port_filter: boolean;
  };
}

/** The bridge that ports are plugged into, by OVN's default name. */
export const INTEGRATION_BRIDGE = 'br-int';

/** The name of a port's device, by Neutron's rule, within Linux's 15 characters. */
export function tapOf(portId: string): string {
  return `tap${portId.slice(0, 11)}`;
}

/** The network namespace for a port. @param namespace the switch's namespace on that host */
export function namespaceFor(namespace: string, portId: string): string {
  return `${namespace}.${portId}`;
}

/** The port's device in its network namespace. */
export const NAMESPACE_DEVICE = 'eth0';

export const SWITCHED: Vif = { type: 'ovs', details: { connectivity: 'l2', port_filter: true } };

export interface DataPlane {
  readonly vif: Vif;

  ensureNetwork(network: NetworkSpec): Promise<void>;

  /**
   * Removes a network that has no ports and that no router or balancer uses. Does nothing if there
   * is no such network.
   * @throws NetworkHasPortsError while it has ports
   */
  removeNetwork(id: string): Promise<void>;

  /**
   * @returns whether the port is up; one that its host is still plugging in comes up later
   * @throws NetworkNotThereError if its network does not exist yet
   * @throws SecurityGroupNotThereError if one of its groups does not exist yet
   */
  ensurePort(port: PortSpec): Promise<PortStatus>;

  removePort(id: string): Promise<void>;

  /** Replaces the rules of the group for all its ports. */
  ensureSecurityGroup(group: SecurityGroupSpec): Promise<void>;

  /** Does nothing if there is no such group. The group must have no ports. */
  removeSecurityGroup(id: string): Promise<void>;

  /**
   * Replaces the router with all of its ports, addresses and routes.
   * @throws NetworkNotThereError if one of its networks does not exist yet
   */
  ensureRouter(router: RouterSpec): Promise<void>;

  /** Removes a router with its ports. Does nothing if there is no such router. */
  removeRouter(id: string): Promise<void>;

  /**
   * @throws NetworkNotThereError if its network does not exist yet
   * @throws BalancerNotPossibleError if the driver does not support balancers
   */
  ensureBalancer(balancer: BalancerSpec): Promise<void>;

  removeBalancer(id: string): Promise<void>;

  /** The health of the members of all balancers. */
  balancerHealth(): Promise<BalancerHealth>;

  /** Lists everything, after repairing what others have changed. */
  inventory(): Promise<Inventory>;

  /** Lists the hosts, and requests a heartbeat of each, which a later call shows. */
  hosts(): Promise<readonly HostStatus[]>;

  /** Drops a host that is gone; one that is alive registers again. */
  forgetHost(host: string): Promise<void>;

  /** Reports each port that comes up or goes down, on any host. @returns a function that ends it */
  watch(listener: (status: PortStatus) => void): () => void;
}

export const DATA_PLANE = Symbol('cumulet:data-plane');
