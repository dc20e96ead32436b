import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { BalancerSpec } from '../../balancer-spec.js';
import { NO_QOS, type NetworkSpec, type RouterSpec } from '../../data-plane.js';
import { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import type { OvsdbSchema, Row } from '../../ovsdb/ovsdb-schema.js';
import { networkSpec, routerPortSpec, subnetSpec } from '../test-cloud.fixture.js';
import { placeOf } from './balancer-place.js';
import { markOf } from './northbound.js';

const networkOf = (projectId: string): NetworkSpec => ({
  ...networkSpec(subnetSpec('10.0.0.0/24')),
  projectId,
});
const own = networkOf('own');
const sister = networkOf('own');
const foreign = networkOf('foreign');
const external = networkOf('cloud');

const routerOn = (networks: readonly NetworkSpec[], out?: NetworkSpec): RouterSpec => ({
  id: randomUUID(),
  adminStateUp: true,
  availabilityZones: [],
  routes: [],
  interfaces: networks.map((one) => routerPortSpec(one, '10.0.0.1')),
  gateways: out ? [{ ...routerPortSpec(out, '10.0.0.9'), enableSnat: true, qos: NO_QOS }] : [],
  floatingIps: [],
  portForwardings: [],
});

const balancerOn = (network: NetworkSpec, members: readonly NetworkSpec[] = []): BalancerSpec => ({
  id: randomUUID(),
  projectId: 'own',
  portId: 'vip',
  networkId: network.id,
  macAddress: '',
  addresses: [{ address: '10.0.0.30', cidr: '10.0.0.0/24' }],
  listeners: [
    {
      id: 'l',
      protocol: 'tcp',
      port: 80,
      affinitySeconds: null,
      check: { intervalSeconds: 1, timeoutSeconds: 1, successCount: 1, failureCount: 1 },
      members: members.map(({ id }) => ({
        id: `on ${id}`,
        address: '10.0.0.11',
        port: 80,
        networkId: id,
        checkedFrom: null,
      })),
    },
  ],
});

/** A database with these routers and ports. */
function rowsWith(routers: readonly RouterSpec[], ports: Readonly<Record<string, Row>> = {}) {
  const networks = [own, sister, foreign, external].map((one): [string, Row] => [
    one.id,
    { ports: one === own ? Object.keys(ports) : [], ...markOf('network', one) },
  ]);
  const plain = { unset: () => ({}), decode: (_: string, row: Row) => row };
  const rows = new OvsdbRows({});
  const inserted = (all: Iterable<readonly [string, Row]>) =>
    Object.fromEntries([...all].map(([id, insert]) => [id, { insert }]));
  rows.update(
    plain as unknown as OvsdbSchema,
    {
      Logical_Switch: inserted(networks),
      Logical_Router: inserted(routers.map((one) => [one.id, markOf('router', one)] as const)),
      Logical_Switch_Port: inserted(Object.entries(ports)),
    } as Parameters<OvsdbRows['update']>[1],
  );
  return rows;
}

describe('placeOf', () => {
  it('is only its own network without a router', () => {
    expect(placeOf(rowsWith([routerOn([sister])]), balancerOn(own))).toMatchObject({
      networkIds: [own.id],
      routerIds: [],
      isRouted: false,
    });
  });

  it("is on the routers of its network, and on its project's networks behind them", () => {
    const router = routerOn([own, sister, foreign], external);
    expect(placeOf(rowsWith([router]), balancerOn(own))).toMatchObject({
      networkIds: [own.id, sister.id],
      routerIds: [router.id],
      isRouted: false,
    });
  });

  it('has routes to what is behind its routers, and out', () => {
    const router = routerOn([own]);
    const far = routerPortSpec(networkSpec(subnetSpec('10.7.0.0/24')), '10.7.0.1');
    const rows = rowsWith([{ ...router, interfaces: [...router.interfaces, far] }]);
    expect(placeOf(rows, balancerOn(own)).routes).toEqual([
      { destination: '10.7.0.0/24', nexthop: '10.0.0.1' },
      { destination: '0.0.0.0/0', nexthop: '10.0.0.1' },
    ]);
  });

  it("is on an external network if its members are its project's own", () => {
    const [ours, theirs] = [routerOn([sister], external), routerOn([foreign], external)];
    const rows = rowsWith([ours, theirs]);
    expect(placeOf(rows, balancerOn(external, [sister, foreign]))).toMatchObject({
      networkIds: [sister.id],
      routerIds: [ours.id],
      isRouted: true,
    });
  });

  it("does not intercept traffic of another project's network to an address that it chose", () => {
    const rows = rowsWith([routerOn([foreign], external)]);
    expect(placeOf(rows, balancerOn(own, [foreign]))).toMatchObject({
      networkIds: [own.id],
      routerIds: [],
    });
  });

  it('has the floating IPs that lead to its addresses', () => {
    const to = { macAddress: '', networkId: external.id, qos: NO_QOS, id: 'f' };
    const floatingIps = [
      { ...to, address: '203.0.113.9', fixedAddress: '10.0.0.30', fixedPortId: 'vip' },
      { ...to, address: '203.0.113.8', fixedAddress: '10.0.0.30', fixedPortId: 'other' },
    ];
    const rows = rowsWith([{ ...routerOn([own], external), floatingIps }]);
    expect(placeOf(rows, balancerOn(own)).floatingAddresses).toEqual(['203.0.113.9']);
  });

  it('has the ports of members by their addresses', () => {
    const ports = { port: { addresses: ['fa:16:3e:00:00:01 10.0.0.11 10.0.0.12'] } };
    const place = placeOf(rowsWith([], ports), balancerOn(own, [own, sister]));
    expect([...place.portsOf]).toEqual([[`on ${own.id}`, 'port']]);
  });
});
