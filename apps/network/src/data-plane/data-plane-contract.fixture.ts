/** The contract of every data plane. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@cumulet/testing/settle';
import { NO_QOS } from './data-plane.js';
import type { DataPlane, NetworkSpec, PortQos, PortSpec, RouterSpec } from './data-plane.js';

const LIMITED: PortQos = { ...NO_QOS, egress: { maxKbps: 1000, maxBurstKbps: 0 } };

const HOST = 'here';

export function networkSpec(changes: Partial<NetworkSpec> = {}): NetworkSpec {
  return {
    id: randomUUID(),
    projectId: 'project',
    adminStateUp: true,
    mtu: 1442,
    dnsDomain: '',
    networkType: 'geneve',
    physicalNetwork: null,
    segmentationId: 7,
    subnets: [
      {
        id: randomUUID(),
        cidr: '10.1.0.0/24',
        gatewayIp: '10.1.0.1',
        enableDhcp: true,
        dnsNameservers: [],
        hostRoutes: [],
        ipv6RaMode: null,
        ipv6AddressMode: null,
      },
    ],
    metadataPort: null,
    ...changes,
  };
}

export function portSpec(network: NetworkSpec, changes: Partial<PortSpec> = {}): PortSpec {
  const [subnet] = network.subnets;
  return {
    id: randomUUID(),
    networkId: network.id,
    macAddress: 'fa:16:3e:00:00:01',
    addresses: subnet ? [{ subnetId: subnet.id, address: '10.1.0.5' }] : [],
    adminStateUp: true,
    host: null,
    tap: null,
    namespace: null,
    prepared: [],
    parent: null,
    isVip: false,
    deviceId: '',
    projectId: '',
    portSecurityEnabled: true,
    securityGroups: [],
    addressPairs: [],
    dhcpOptions: [],
    qos: { ingress: null, egress: null, dscpMark: null },
    ...changes,
  };
}

/**
 * A router with the first address of each network's subnet, and a gateway on the external network.
 */
export function routerSpec(networks: readonly NetworkSpec[], external?: NetworkSpec): RouterSpec {
  const portOn = (network: NetworkSpec, at: number) => ({
    portId: randomUUID(),
    networkId: network.id,
    macAddress: `fa:16:3e:00:01:0${at}`,
    mtu: network.mtu,
    adminStateUp: true,
    addresses: network.subnets.map(({ id, cidr, gatewayIp, ipv6RaMode }) => ({
      subnetId: id,
      cidr,
      gatewayIp,
      ipv6RaMode,
      address: gatewayIp ?? '10.1.0.1',
    })),
  });
  return {
    id: randomUUID(),
    adminStateUp: true,
    availabilityZones: [],
    interfaces: networks.map(portOn),
    gateways: external ? [{ ...portOn(external, 9), enableSnat: true, qos: NO_QOS }] : [],
    routes: [],
    floatingIps: [],
    portForwardings: [],
  };
}

export interface DataPlaneCase {
  readonly dataPlane: DataPlane;
  /** Does what makes a port come up on its host. */
  readonly plug: (portId: string) => Promise<void>;
}

export function dataPlaneContract(start: () => Promise<DataPlaneCase>): void {
  let dataPlane: DataPlane;
  let plug: DataPlaneCase['plug'];

  beforeEach(async () => {
    ({ dataPlane, plug } = await start());
  });

  const portOf = async (id: string) =>
    (await dataPlane.inventory()).ports.find((port) => port.id === id);

  describe('a network', () => {
    it('can be ensured repeatedly', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      await dataPlane.ensureNetwork({ ...network, mtu: 1400, subnets: [] });
      const { networks } = await dataPlane.inventory();
      expect(networks.filter((id) => id === network.id)).toHaveLength(1);
    });

    it('can be removed repeatedly', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      await dataPlane.removeNetwork(network.id);
      await dataPlane.removeNetwork(network.id);
      expect((await dataPlane.inventory()).networks).not.toContain(network.id);
    });

    it('is removed with its metadata port, which is not in the inventory', async () => {
      const network = networkSpec();
      const addresses = network.subnets.map(({ id, cidr }) => ({
        subnetId: id,
        cidr,
        address: '10.1.0.2',
      }));
      const metadataPort = { portId: randomUUID(), macAddress: 'fa:16:3e:00:00:02', addresses };
      await dataPlane.ensureNetwork({ ...network, metadataPort });
      await dataPlane.ensureNetwork({ ...network, metadataPort });
      expect((await dataPlane.inventory()).ports).toEqual([]);
      await dataPlane.removeNetwork(network.id);
      expect((await dataPlane.inventory()).networks).not.toContain(network.id);
    });

    it('is not removed while it has ports', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network);
      await dataPlane.ensurePort(port);
      await expect(dataPlane.removeNetwork(network.id)).rejects.toMatchObject({
        kind: 'transient',
      });
      await dataPlane.removePort(port.id);
      await dataPlane.removeNetwork(network.id);
      expect((await dataPlane.inventory()).networks).not.toContain(network.id);
    });
  });

  describe('a host', () => {
    it('sends heartbeats, and registers again after it was forgotten', async () => {
      const start = Date.now();
      const living = async () => {
        const hosts = await dataPlane.hosts();
        return hosts.find(({ seenAt }) => seenAt.getTime() >= start);
      };
      await eventually('one lives', async () => (await living()) !== undefined);
      const { host = '' } = (await living()) ?? {};
      await dataPlane.forgetHost(host);
      await eventually('it lives', async () => (await living())?.host === host);
    });
  });

  describe('a security group', () => {
    const group = { id: randomUUID(), stateful: true, rules: [] };

    it('can be ensured and removed repeatedly', async () => {
      for (const stateful of [true, false])
        await dataPlane.ensureSecurityGroup({ ...group, stateful });
      expect((await dataPlane.inventory()).securityGroups).toEqual([group.id]);
      await dataPlane.removeSecurityGroup(group.id);
      await dataPlane.removeSecurityGroup(group.id);
      expect((await dataPlane.inventory()).securityGroups).toEqual([]);
    });

    it('is required by its ports', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network, { securityGroups: [group.id] });
      await expect(dataPlane.ensurePort(port)).rejects.toMatchObject({ kind: 'transient' });
      await dataPlane.ensureSecurityGroup(group);
      expect(await dataPlane.ensurePort(port)).toMatchObject({ id: port.id });
    });
  });

  describe('a port', () => {
    it('waits for its network', async () => {
      await expect(dataPlane.ensurePort(portSpec(networkSpec()))).rejects.toMatchObject({
        kind: 'transient',
      });
    });

    it('is down while it has no host', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network);
      expect(await dataPlane.ensurePort(port)).toEqual({ id: port.id, isUp: false });
      expect(await portOf(port.id)).toEqual({ id: port.id, isUp: false });
    });

    it('comes up on its host, and goes down with it', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network, { host: HOST });
      await dataPlane.ensurePort(port);
      await plug(port.id);
      expect(await dataPlane.ensurePort(port)).toEqual({ id: port.id, isUp: true });
      expect(await portOf(port.id)).toEqual({ id: port.id, isUp: true });
      expect(await dataPlane.ensurePort({ ...port, host: null })).toMatchObject({ isUp: false });
    });

    it('reports whenever it comes up or goes down', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network, { host: HOST });
      const told: unknown[] = [];
      const end = dataPlane.watch((status) => told.push(status));
      await dataPlane.ensurePort(port);
      await plug(port.id);
      await eventually('it is told to be up', () => told.length === 1);
      await dataPlane.ensurePort({ ...port, host: null });
      await eventually('it is told to be down', () => told.length === 2);
      end();
      await dataPlane.ensurePort(port);
      expect(told).toEqual([true, false].map((isUp) => ({ id: port.id, isUp })));
    });

    it('stays down while it is disabled', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network, { host: HOST, adminStateUp: false });
      await dataPlane.ensurePort(port);
      await plug(port.id);
      expect(await dataPlane.ensurePort(port)).toMatchObject({ isUp: false });
    });

    it('gains and loses limits and marks', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const limit = { maxKbps: 1000, maxBurstKbps: 0 };
      const port = portSpec(network, {
        qos: { ingress: limit, egress: { maxKbps: 2000, maxBurstKbps: 500 }, dscpMark: 46 },
      });
      for (const qos of [port.qos, port.qos, { ...port.qos, egress: null }, portSpec(network).qos])
        expect(await dataPlane.ensurePort({ ...port, qos })).toMatchObject({ id: port.id });
      await dataPlane.removePort(port.id);
      expect(await portOf(port.id)).toBeUndefined();
    });

    it('can be removed repeatedly', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const port = portSpec(network);
      await dataPlane.ensurePort(port);
      await dataPlane.removePort(port.id);
      await dataPlane.removePort(port.id);
      expect(await portOf(port.id)).toBeUndefined();
    });
  });
  describe('a router', () => {
    const external = networkSpec({
      segmentationId: 8,
      subnets: networkSpec().subnets.map((subnet) => ({
        ...subnet,
        id: randomUUID(),
        cidr: '203.0.113.0/24',
        gatewayIp: '203.0.113.1',
      })),
    });

    const routers = async () => (await dataPlane.inventory()).routers;

    it('waits for its networks', async () => {
      await expect(dataPlane.ensureRouter(routerSpec([networkSpec()]))).rejects.toMatchObject({
        kind: 'transient',
      });
      expect(await routers()).toEqual([]);
    });

    it('can be ensured repeatedly, with any change', async () => {
      const network = networkSpec();
      for (const one of [network, external]) await dataPlane.ensureNetwork(one);
      const port = portSpec(network);
      await dataPlane.ensurePort(port);
      const router = routerSpec([network], external);
      await dataPlane.ensureRouter(router);
      const at = { networkId: external.id, address: '203.0.113.7' };
      const floating = { id: randomUUID(), ...at, macAddress: 'fa:16:3e:00:02:01' };
      const forwarded = { ...at, address: '203.0.113.8', internalAddress: '10.1.0.5' };
      await dataPlane.ensureRouter({
        ...router,
        routes: [{ destination: '192.0.2.0/24', nexthop: '10.1.0.5' }],
        floatingIps: [
          { ...floating, fixedAddress: '10.1.0.5', fixedPortId: port.id, qos: LIMITED },
        ],
        portForwardings: [
          {
            ...forwarded,
            id: randomUUID(),
            protocol: 'tcp',
            internalPortId: port.id,
            externalPorts: [8000, 8009],
            internalPorts: [80, 80],
          },
        ],
      });
      await dataPlane.ensureRouter({ ...router, adminStateUp: false, gateways: [] });
      expect(await routers()).toEqual([router.id]);
    });

    it('keeps its networks until it has released them', async () => {
      const [first, second] = [networkSpec(), external];
      for (const one of [first, second]) await dataPlane.ensureNetwork(one);
      const router = routerSpec([first, second]);
      await dataPlane.ensureRouter(router);
      await expect(dataPlane.removeNetwork(second.id)).rejects.toMatchObject({ kind: 'transient' });
      await dataPlane.ensureRouter({ ...router, interfaces: router.interfaces.slice(0, 1) });
      await dataPlane.removeNetwork(second.id);
      await dataPlane.removeRouter(router.id);
      await dataPlane.removeNetwork(first.id);
      expect((await dataPlane.inventory()).networks).toEqual([]);
    });

    it('takes over an ordinary port', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const router = routerSpec([network]);
      const { portId = '' } = router.interfaces[0] ?? {};
      await dataPlane.ensurePort(portSpec(network, { id: portId }));
      await dataPlane.ensureRouter(router);
      expect((await dataPlane.inventory()).ports).toEqual([]);
    });

    it('can be removed repeatedly', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const router = routerSpec([network]);
      await dataPlane.ensureRouter(router);
      await dataPlane.removeRouter(router.id);
      await dataPlane.removeRouter(router.id);
      expect(await routers()).toEqual([]);
    });
  });
}
