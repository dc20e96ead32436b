/** Networks, ports and groups for tests of traffic. */
import { randomUUID } from 'node:crypto';
import type {
  NetworkSpec,
  PortSpec,
  RouterPortSpec,
  SecurityGroupSpec,
  SubnetSpec,
} from '../data-plane.js';
import { NO_QOS } from '../data-plane.js';
import type { TestGuest } from './host/test-guest.fixture.js';
import { HOST, newMac, type TestHost } from './host/test-host.fixture.js';

export type Rule = SecurityGroupSpec['rules'][number];

export function subnetSpec(cidr: string, changes: Partial<SubnetSpec> = {}): SubnetSpec {
  return {
    id: randomUUID(),
    cidr,
    enableDhcp: true,
    ipv6RaMode: null,
    ipv6AddressMode: null,
    gatewayIp: cidr.replace(/0\/\d+$/, '1'),
    dnsNameservers: [],
    hostRoutes: [],
    ...changes,
  };
}

export function networkSpec(...subnets: readonly SubnetSpec[]): NetworkSpec {
  return {
    id: randomUUID(),
    projectId: 'project',
    adminStateUp: true,
    mtu: 1442,
    dnsDomain: '',
    networkType: 'geneve',
    physicalNetwork: null,
    segmentationId: 1,
    subnets,
    metadataPort: null,
  };
}

export function portSpec(
  network: NetworkSpec,
  addresses: readonly string[],
  changes: Partial<PortSpec> = {},
): PortSpec {
  return {
    id: randomUUID(),
    networkId: network.id,
    macAddress: newMac(),
    host: HOST,
    tap: null,
    namespace: null,
    isVip: false,
    prepared: [],
    deviceId: '',
    projectId: '',
    addresses: addresses.map((address, index) => ({
      address,
      subnetId: network.subnets[index]?.id ?? '',
    })),
    adminStateUp: true,
    portSecurityEnabled: true,
    securityGroups: [],
    addressPairs: [],
    dhcpOptions: [],
    qos: NO_QOS,
    parent: null,
    ...changes,
  };
}

export function routerPortSpec(network: NetworkSpec, address: string): RouterPortSpec {
  const [subnet] = network.subnets;
  if (!subnet) throw new Error('the network has no subnet');
  const { id: subnetId, cidr, gatewayIp, ipv6RaMode } = subnet;
  return {
    portId: randomUUID(),
    networkId: network.id,
    macAddress: newMac(),
    mtu: 1442,
    adminStateUp: true,
    addresses: [{ subnetId, address, cidr, gatewayIp, ipv6RaMode }],
  };
}

export function rule(changes: Partial<Rule>): Rule {
  return {
    id: randomUUID(),
    direction: 'ingress',
    ethertype: 'IPv4',
    protocol: null,
    portRangeMin: null,
    portRangeMax: null,
    remotePrefixes: null,
    remoteGroupId: null,
    ...changes,
  };
}

/** Permits all egress, and ingress by the rules. */
export function groupSpec(...rules: readonly Rule[]): SecurityGroupSpec {
  const out = (['IPv4', 'IPv6'] as const).map((ethertype) =>
    rule({ direction: 'egress', ethertype }),
  );
  return { id: randomUUID(), stateful: true, rules: [...out, ...rules] };
}

export function tcp(port: number): Rule {
  return rule({ protocol: 'tcp', portRangeMin: port, portRangeMax: port });
}

/** A guest with the first of the port's addresses. */
export async function guestOn(test: TestHost, port: PortSpec): Promise<TestGuest> {
  await test.dataPlane.ensurePort(port);
  const guest = await test.plug(port);
  for (const { address } of port.addresses)
    await guest.hasAddress(`${address}/${address.includes(':') ? 64 : 24}`);
  return guest;
}
