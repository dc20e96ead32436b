/**
 * What carries the packets, behind calls with whole resources. The interface's comments are the
 * contract; `data-plane-contract.fixture.ts` is the same as tests, which every driver passes.
 *
 * Always holds: every call is idempotent and says all that is to be true of its resource, so that it
 * may be repeated after a crash, and what it does not name is gone.
 */
import type { BalancerHealth, BalancerSpec } from './balancer-spec.js';

/** A subnet, as part of its network. */
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

/**
 * By which the guests of a network reach metadata, each on its own host. It is told with its network
 * alone.
 */
export interface MetadataPortSpec {
  readonly portId: string;
  readonly macAddress: string;
  /** One on each subnet that has DHCP by IPv4; `cidr` is the subnet's. */
  readonly addresses: readonly {
    readonly subnetId: string;
    readonly address: string;
    readonly cidr: string;
  }[];
}

export interface NetworkSpec {
  readonly id: string;
  /** Whose it is. */
  readonly projectId: string;
  readonly adminStateUp: boolean;
  /** Bytes. */
  readonly mtu: number;
  readonly dnsDomain: string;
  readonly networkType: string;
  readonly physicalNetwork: string | null;
  readonly segmentationId: number | null;
  readonly subnets: readonly SubnetSpec[];
  /** Null while no subnet has DHCP by IPv4. */
  readonly metadataPort: MetadataPortSpec | null;
}

export interface SecurityGroupSpec {
  readonly id: string;
  /** Whether answers to what is let out are let in. */
  readonly stateful: boolean;
  readonly rules: readonly {
    readonly id: string;
    readonly direction: 'ingress' | 'egress';
    readonly ethertype: 'IPv4' | 'IPv6';
    /** A name or a number; null for all. */
    readonly protocol: string | null;
    readonly portRangeMin: number | null;
    readonly portRangeMax: number | null;
    /**
     * From or to which addresses, as CIDRs of its ethertype; null for all. Without any, as of an
     * address group that has none, the rule lets nothing pass.
     */
    readonly remotePrefixes: readonly string[] | null;
    readonly remoteGroupId: string | null;
  }[];
}

export interface BandwidthLimit {
  /** Kilobits per second, at least 1. */
  readonly maxKbps: number;
  /** Kilobits; 0 for what suits the limit. */
  readonly maxBurstKbps: number;
}

/** What limits and marks traffic; null for what does not. */
export interface PortQos {
  /** Of what the port receives, or what comes in to an address. */
  readonly ingress: BandwidthLimit | null;
  /** Of what its host sends, or what leaves from the address. */
  readonly egress: BandwidthLimit | null;
  /** The code point (DSCP) of what its host sends. */
  readonly dscpMark: number | null;
}

/** Of what nothing limits or marks. */
export const NO_QOS: PortQos = { ingress: null, egress: null, dscpMark: null };

/**
 * The device that a host makes for a port, which a hypervisor opens; there is none where whoever
 * plugs the port in brings one.
 */
export interface TapSpec {
  /** The number of the user who may open it; null for the one that the host has for all. */
  readonly uid: number | null;
}

/**
 * Where the addresses of a port are that a program of the host has, rather than a guest. `own`: in a
 * network namespace that the host makes for it. `host`: the machine's own, which has all of
 * 127.0.0.0/8.
 */
export type PortNamespace = 'own' | 'host';

export interface PortSpec {
  readonly id: string;
  readonly networkId: string;
  readonly macAddress: string;
  readonly addresses: readonly { readonly subnetId: string; readonly address: string }[];
  readonly adminStateUp: boolean;
  /** The host where it is to be plugged in; null while it is not. */
  readonly host: string | null;
  /** The port that carries its packets, with which VLAN; null for one that carries its own. */
  readonly parent: { readonly portId: string; readonly tag: number } | null;
  readonly tap: TapSpec | null;
  /** Null for one that a guest has, or nobody. */
  readonly namespace: PortNamespace | null;
  /** Whether it only keeps its addresses for a balancer, which answers there. */
  readonly isVip: boolean;
  /** Hosts that it may move to, where its packets come too. */
  readonly prepared: readonly { readonly host: string; readonly tap: TapSpec | null }[];
  /** What it is plugged into, as metadata tells it apart: a server's id, or nothing. */
  readonly deviceId: string;
  readonly projectId: string;
  readonly portSecurityEnabled: boolean;
  /** Ids of the groups that it is in. */
  readonly securityGroups: readonly string[];
  readonly addressPairs: readonly { readonly address: string; readonly macAddress: string }[];
  readonly qos: PortQos;
  readonly dhcpOptions: readonly {
    readonly name: string;
    readonly value: string;
    readonly ipVersion: number;
  }[];
}

/** An address that a router has on one of its ports. */
export interface RouterAddressSpec {
  readonly subnetId: string;
  readonly address: string;
  /** Of the subnet, whose prefix the address has on the port. */
  readonly cidr: string;
  /** Of the subnet: through a gateway, what is for everywhere else goes there. */
  readonly gatewayIp: string | null;
  /** Of the subnet: what the router advertises there; null for nothing. */
  readonly ipv6RaMode: string | null;
}

/**
 * A port of a router: it is told with its router alone. One that was told by `ensurePort` before is
 * the router's from then on.
 */
export interface RouterPortSpec {
  readonly portId: string;
  readonly networkId: string;
  readonly macAddress: string;
  /** Bytes, of the network. */
  readonly mtu: number;
  readonly adminStateUp: boolean;
  /** A gateway on a network without subnets has none, and leads nowhere. */
  readonly addresses: readonly RouterAddressSpec[];
}

export interface GatewaySpec extends RouterPortSpec {
  /** Whether what the interfaces' subnets send out by IPv4 comes from the gateway's address. */
  readonly enableSnat: boolean;
  /** Of all that goes in and out there, but for floating IPs with limits of their own. */
  readonly qos: PortQos;
}

/** Forwards all that comes to the address to one port, both ways. */
export interface FloatingIpSpec {
  readonly id: string;
  readonly address: string;
  /** The external network that it is on. */
  readonly networkId: string;
  /** Of the floating IP itself, there. */
  readonly macAddress: string;
  readonly fixedAddress: string;
  readonly fixedPortId: string;
  readonly qos: PortQos;
}

/** Forwards what comes to some ports of an address; the address itself belongs to no port. */
export interface PortForwardingSpec {
  readonly id: string;
  readonly address: string;
  /** The external network that it is on. */
  readonly networkId: string;
  readonly protocol: string;
  /** The first and the last. */
  readonly externalPorts: readonly [number, number];
  readonly internalAddress: string;
  readonly internalPortId: string;
  /** As many as the external ones, or one for all of them. */
  readonly internalPorts: readonly [number, number];
}

export interface RouterSpec {
  readonly id: string;
  /** Whether it carries packets between its networks. */
  readonly adminStateUp: boolean;
  /** Those in which its gateways are, as far as there are hosts; none for any. */
  readonly availabilityZones: readonly string[];
  readonly interfaces: readonly RouterPortSpec[];
  /** The default route goes through the first. */
  readonly gateways: readonly GatewaySpec[];
  readonly routes: readonly { readonly destination: string; readonly nexthop: string }[];
  readonly floatingIps: readonly FloatingIpSpec[];
  readonly portForwardings: readonly PortForwardingSpec[];
}

export interface PortStatus {
  readonly id: string;
  /** Whether its host has it plugged in and carries its packets. */
  readonly isUp: boolean;
}

/** A host of the data plane. */
export interface HostStatus {
  /** As ports name it. */
  readonly host: string;
  /** What works there, as Neutron calls its kind of agent, and the program. */
  readonly agentType: string;
  readonly binary: string;
  /** When it last gave a sign of life. */
  readonly seenAt: Date;
  /** Whether routers' gateways are to be on it rather than on others. */
  readonly isGateway: boolean;
  readonly availabilityZones: readonly string[];
  /** Physical networks that it is on, with their bridges. */
  readonly bridgeMappings: Readonly<Record<string, string>>;
  /** How its switch carries packets: `netdev` for in userspace. */
  readonly datapathType: string;
  /** Where its switch and the devices of its guests are; null for the host's own. */
  readonly networkNamespace: string | null;
}

/** All that the data plane holds. */
export interface Inventory {
  readonly networks: readonly string[];
  readonly securityGroups: readonly string[];
  /** Without those of routers. */
  readonly ports: readonly PortStatus[];
  readonly routers: readonly string[];
  readonly balancers: readonly string[];
}

/** How a host plugs in a port that is bound to it. */
export interface Vif {
  /**
   * `ovs`: as a device of the virtual switch, whose `iface-id` is the port's id. `user`: as a network
   * card on QEMU's user-mode network.
   */
  readonly type: 'ovs' | 'user';
  readonly details: {
    /** `l2`: the network's other ports reach it. `none`: nothing does. */
    readonly connectivity: 'l2' | 'none';
    /** Whether its security groups are carried out. */
    readonly port_filter: boolean;
  };
}

/** The bridge of the virtual switch that ports are plugged into, as OVN calls it everywhere. */
export const INTEGRATION_BRIDGE = 'br-int';

/**
 * The device that a host makes for a port: called as by Neutron, from the port's id, and nearly as
 * long as Linux allows.
 */
export function tapOf(portId: string): string {
  return `tap${portId.slice(0, 11)}`;
}

/** The network namespace that a host makes for a port. @param namespace the switch's, on that host */
export function namespaceFor(namespace: string, portId: string): string {
  return `${namespace}.${portId}`;
}

/** The port's device in there. */
export const NAMESPACE_DEVICE = 'eth0';

/** By the virtual switch, which does all that a port asks for. */
export const SWITCHED: Vif = { type: 'ovs', details: { connectivity: 'l2', port_filter: true } };

export interface DataPlane {
  readonly vif: Vif;

  /** Makes the network be as it says. */
  ensureNetwork(network: NetworkSpec): Promise<void>;

  /**
   * Removes a network that has no ports, and that no router or balancer has. Does nothing if there is no such
   * network.
   * @throws NetworkHasPortsError while it has any
   */
  removeNetwork(id: string): Promise<void>;

  /**
   * Makes the port be as it says.
   * @returns whether it is up; a port that its host is still plugging in comes up later
   * @throws NetworkNotThereError while its network is not there
   * @throws SecurityGroupNotThereError while one of its groups is not
   */
  ensurePort(port: PortSpec): Promise<PortStatus>;

  /** Does nothing if there is no such port. */
  removePort(id: string): Promise<void>;

  /** Makes the group have these rules, for all ports that are in it. */
  ensureSecurityGroup(group: SecurityGroupSpec): Promise<void>;

  /** Does nothing if there is no such group. No port is in it. */
  removeSecurityGroup(id: string): Promise<void>;

  /**
   * Makes the router be as it says, with all of its ports, addresses and routes.
   * @throws NetworkNotThereError while one of its networks is not there
   */
  ensureRouter(router: RouterSpec): Promise<void>;

  /** Removes a router with its ports. Does nothing if there is no such router. */
  removeRouter(id: string): Promise<void>;

  /**
   * Makes the balancer be as it says.
   * @throws NetworkNotThereError while its network is not there
   * @throws BalancerNotPossibleError where nothing balances
   */
  ensureBalancer(balancer: BalancerSpec): Promise<void>;

  /** Does nothing if there is no such balancer. */
  removeBalancer(id: string): Promise<void>;

  /** How the members of all balancers are, as far as they are checked. */
  balancerHealth(): Promise<BalancerHealth>;

  /** What it holds; what somebody else has changed of that is made right again before. */
  inventory(): Promise<Inventory>;

  /** The hosts that it knows. Asks each for a sign of life, which a later call shows. */
  hosts(): Promise<readonly HostStatus[]>;

  /** Lets go of a host that is gone; one that lives comes back by itself. */
  forgetHost(host: string): Promise<void>;

  /**
   * Tells whenever a port comes up or goes down, by whatever process and host.
   * @returns what ends it
   */
  watch(listener: (status: PortStatus) => void): () => void;
}

/** Where the driver is provided. */
export const DATA_PLANE = Symbol('cumulet:data-plane');
