import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { BalancerListenerSpec, BalancerSpec } from '../../balancer-spec.js';
import type { BalancerPlace } from './balancer-place.js';
import { balancerRows } from './balancer-rows.js';
import type { NorthboundTable } from './northbound.js';

const MEMBER = {
  id: 'm',
  address: '10.0.0.11',
  port: 8080,
  networkId: 'n',
  checkedFrom: '10.0.0.5',
};
const CHECK = { intervalSeconds: 5, timeoutSeconds: 3, successCount: 2, failureCount: 4 };

const listener = (fields: Partial<BalancerListenerSpec> = {}): BalancerListenerSpec => ({
  id: 'l',
  protocol: 'tcp',
  port: 80,
  affinitySeconds: null,
  check: null,
  members: [MEMBER],
  ...fields,
});

const balancer = (
  listeners: readonly BalancerListenerSpec[],
  ...addresses: readonly string[]
): BalancerSpec => ({
  id: randomUUID(),
  projectId: 'p',
  portId: 'v',
  networkId: 'n',
  macAddress: 'fa:16:3e:00:00:09',
  addresses: (addresses.length > 0 ? addresses : ['10.0.0.30']).map((address) => ({
    address,
    cidr: address.includes(':') ? '2001:db8::/64' : '10.0.0.0/24',
  })),
  listeners,
});

const place = (fields: Partial<BalancerPlace> = {}): BalancerPlace => ({
  networkIds: ['n'],
  routerIds: [],
  floatingAddresses: [],
  routes: [],
  isRouted: true,
  portsOf: new Map([['m', 'port']]),
  ...fields,
});

const rowOf = (spec: BalancerSpec, table: NorthboundTable, id?: string, at = place()) =>
  balancerRows(spec, at).find((one) => one.table === table && (id === undefined || one.id === id));

describe('balancerRows', () => {
  it('balance each address over members of its IP version', () => {
    const six = { ...MEMBER, id: 'six', address: '2001:db8::11' };
    const spec = balancer([listener({ members: [MEMBER, six] })], '10.0.0.30', '2001:db8::30');
    const floating = place({ floatingAddresses: ['203.0.113.9'] });
    expect(rowOf(spec, 'Load_Balancer', 'l', floating)?.row).toMatchObject({
      protocol: ['tcp'],
      vips: {
        '10.0.0.30:80': '10.0.0.11:8080',
        '[2001:db8::30]:80': '[2001:db8::11]:8080',
        '203.0.113.9:80': '10.0.0.11:8080',
      },
      health_check: [],
      ip_port_mappings: {},
    });
  });

  it('are on every switch and router whose guests can reach it', () => {
    const at = place({ networkIds: ['n', 'o'], routerIds: ['r'] });
    expect(rowOf(balancer([listener()]), 'Load_Balancer', 'l', at)?.memberOf).toEqual([
      { table: 'Logical_Switch', id: 'n', column: 'load_balancer' },
      { table: 'Logical_Switch', id: 'o', column: 'load_balancer' },
      { table: 'Logical_Router', id: 'r', column: 'load_balancer' },
    ]);
  });

  it('check the members that have a port, from the reserved address', () => {
    const unknown = { ...MEMBER, id: 'unknown', address: '10.0.0.12' };
    const spec = balancer([listener({ check: CHECK, members: [MEMBER, unknown] })]);
    expect(rowOf(spec, 'Load_Balancer', 'l')?.row).toMatchObject({
      ip_port_mappings: { '10.0.0.11': 'port:10.0.0.5' },
    });
    expect(rowOf(spec, 'Load_Balancer_Health_Check')?.row).toMatchObject({
      vip: '10.0.0.30:80',
      options: { interval: '5', timeout: '3', success_count: '2', failure_count: '4' },
    });
  });

  it('refuse clients while there are no members', () => {
    expect(rowOf(balancer([listener({ members: [] })]), 'Load_Balancer', 'l')?.row).toMatchObject({
      vips: { '10.0.0.30:80': '' },
      options: { reject: 'true', neighbor_responder: 'reachable' },
    });
  });

  it('keep a client with its member for the configured time', () => {
    const spec = balancer([listener({ affinitySeconds: 90 })]);
    expect(rowOf(spec, 'Load_Balancer', 'l')?.row).toMatchObject({
      options: { affinity_timeout: '90' },
    });
  });

  it('answer by themselves unless routers do', () => {
    const spec = balancer([]);
    const within = place({
      isRouted: false,
      routes: [{ destination: '10.0.2.0/24', nexthop: '10.0.0.1' }],
    });
    expect(rowOf(spec, 'Logical_Router_Port', undefined, within)?.row).toMatchObject({
      mac: 'fa:16:3e:00:00:09',
      networks: ['10.0.0.30/24'],
    });
    expect(rowOf(spec, 'Logical_Switch_Port', undefined, within)?.memberOf).toEqual([
      { table: 'Logical_Switch', id: 'n' },
    ]);
    const way = rowOf(spec, 'Logical_Router_Static_Route', undefined, within);
    expect(way?.row).toMatchObject({ ip_prefix: '10.0.2.0/24', nexthop: '10.0.0.1' });
    expect(rowOf(spec, 'Logical_Router', undefined, within)?.row).toMatchObject({
      static_routes: [way?.id],
    });
    expect(rowOf(spec, 'Logical_Router')).toBeUndefined();
  });
});
