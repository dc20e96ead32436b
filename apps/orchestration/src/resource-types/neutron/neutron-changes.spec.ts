/** Updates, deletions and dependencies of the network service's types. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import {
  calledIn,
  changed,
  definition,
  testScope,
  type Answers,
} from '../resource-scope.fixture.js';
import { addressGroup, securityGroup } from './security-group.js';
import { floatingIp, floatingIpAssociation } from './floating-ip.js';
import { net } from './net.js';
import { port } from './port.js';
import { networkQuota } from '../quotas.js';
import { router, routerGateway, routerInterface } from './router.js';
import { trunk } from './trunk.js';

describe('a router interface', () => {
  const properties = { router: 'r', subnet: 's' };
  const add = 'PUT /v2.0/routers/r/add_router_interface';
  const remove = 'PUT /v2.0/routers/r/remove_router_interface';
  const there = { 'GET /v2.0/ports': { ports: [{ id: 'p' }] } };

  it('is added, and identified by router and subnet', async () => {
    const scope = testScope(routerInterface, { properties, answers: { [add]: {} } });
    expect(await routerInterface.create(scope)).toEqual({ physicalId: 'r:subnet_id=s' });
    expect(scope.requests).toMatchObject([{ json: { subnet_id: 's' } }]);
    expect(scope.kept).toEqual([{ asked: true }]);
  });

  it('is recognized after a lost answer', async () => {
    const data = { asked: true };
    const scope = testScope(routerInterface, { properties, data, answers: there });
    expect(await routerInterface.create(scope)).toEqual({ physicalId: 'r:subnet_id=s' });
    expect(calledIn(scope)).toEqual(['GET /v2.0/ports']);
  });

  it('is deleted, unless it is gone', async () => {
    const physicalId = 'r:subnet_id=s';
    const scope = testScope(routerInterface, { physicalId, answers: { ...there, [remove]: {} } });
    await routerInterface.remove(scope);
    expect(calledIn(scope)).toEqual(['GET /v2.0/ports', remove]);
    const gone = testScope(routerInterface, {
      physicalId,
      answers: { 'GET /v2.0/ports': { ports: [] } },
    });
    await routerInterface.remove(gone);
    expect(calledIn(gone)).toEqual(['GET /v2.0/ports']);
  });
});

describe('a router gateway', () => {
  const physicalId = 'r:n';
  const path = '/v2.0/routers/r';

  it('is cleared, unless the router has another gateway', async () => {
    const shown = (network: string) => ({
      [`GET ${path}`]: { router: { external_gateway_info: { network_id: network } } },
      [`PUT ${path}`]: {},
    });
    const own = testScope(routerGateway, { physicalId, answers: shown('n') });
    await routerGateway.remove(own);
    expect(own.requests[1]?.json).toEqual({ router: { external_gateway_info: {} } });
    const other = testScope(routerGateway, { physicalId, answers: shown('m') });
    await routerGateway.remove(other);
    expect(other.requests).toHaveLength(1);
  });
});

describe('a floating IP', () => {
  it('is associated with another port and its address', async () => {
    const before = { floating_network: 'n', port_id: 'p', fixed_ip_address: '10.0.0.1' };
    const properties = { floating_network: 'n', port_id: 'q' };
    const answers = { 'PUT /v2.0/floatingips/id-1': {} };
    const [scope, change] = changed(floatingIp, before, { properties, answers });
    await floatingIp.update?.(scope, change);
    expect(scope.requests.map(({ json }) => json)).toEqual([
      { floatingip: { port_id: 'q', fixed_ip_address: null } },
    ]);
  });

  it('is disassociated with its association, unless it belongs to another port', async () => {
    const properties = { floatingip_id: 'f', port_id: 'p' };
    const shown = (port: string): Answers => ({
      'GET /v2.0/floatingips/f': { floatingip: { port_id: port } },
      'PUT /v2.0/floatingips/f': {},
    });
    const own = testScope(floatingIpAssociation, { properties, answers: shown('p') });
    await floatingIpAssociation.remove(own);
    expect(own.requests[1]?.json).toEqual({ floatingip: { port_id: null } });
    const other = testScope(floatingIpAssociation, { properties, answers: shown('q') });
    await floatingIpAssociation.remove(other);
    expect(other.requests).toHaveLength(1);
  });
});

describe('rules of a security group', () => {
  const path = '/v2.0/security-groups/id-1';
  const egress = (ethertype: string, id: string): JsonObject => ({
    id,
    direction: 'egress',
    ethertype,
    protocol: null,
    remote_ip_prefix: null,
    port_range_min: null,
    port_range_max: null,
    remote_group_id: null,
  });
  const answers = {
    [`GET ${path}`]: {
      security_group: { security_group_rules: [egress('IPv4', 'e4'), egress('IPv6', 'e6')] },
    },
    'POST /v2.0/security-group-rules': {},
    'DELETE /v2.0/security-group-rules/e4': {},
    'DELETE /v2.0/security-group-rules/e6': {},
  };

  it('are added to the defaults for egress', async () => {
    const rules = [
      { direction: 'ingress', ethertype: 'IPv4', protocol: 'tcp', port_range_min: 22 },
      { direction: 'ingress', ethertype: 'IPv4', remote_mode: 'remote_group_id' },
    ];
    const scope = testScope(securityGroup, { properties: { rules }, answers });
    await securityGroup.isCreated?.(scope);
    const own = { direction: 'ingress', ethertype: 'IPv4', security_group_id: 'id-1' };
    expect(scope.requests[1]?.json).toEqual({
      security_group_rules: [
        { ...own, protocol: 'tcp', port_range_min: 22 },
        { ...own, remote_group_id: 'id-1' },
      ],
    });
  });

  it('replace the defaults for egress if any is for egress', async () => {
    const rules = [{ direction: 'egress', ethertype: 'IPv4', protocol: 'udp' }];
    const scope = testScope(securityGroup, { properties: { rules }, answers });
    await securityGroup.isCreated?.(scope);
    expect(calledIn(scope).slice(1)).toEqual([
      'DELETE /v2.0/security-group-rules/e4',
      'DELETE /v2.0/security-group-rules/e6',
      'POST /v2.0/security-group-rules',
    ]);
  });

  it('of other resources of the stack are kept', async () => {
    const rules = [{ direction: 'egress', ethertype: 'IPv4', protocol: 'udp' }];
    const e6 = { id: 'row-2', name: 'rule', physicalId: 'e6', data: {}, metadata: {} };
    const options = { properties: { rules }, answers, siblings: { e6 } };
    const scope = testScope(securityGroup, options);
    await securityGroup.isCreated?.(scope);
    expect(calledIn(scope)).not.toContain('DELETE /v2.0/security-group-rules/e6');
  });

  it('that match already are kept', async () => {
    const scope = testScope(securityGroup, { answers });
    await securityGroup.isCreated?.(scope);
    expect(calledIn(scope)).toEqual([`GET ${path}`]);
  });
});

describe('updates', () => {
  it('return a port to the default group', async () => {
    const properties = { network: 'n' };
    const answers = {
      'GET /v2.0/security-groups': { security_groups: [{ id: 'default-1' }] },
      'PUT /v2.0/ports/id-1': {},
    };
    const before = { ...properties, security_groups: ['g'] };
    const [scope, change] = changed(port, before, { properties, answers });
    await port.update?.(scope, change);
    expect(scope.requests.at(-1)?.json).toEqual({ port: { security_groups: ['default-1'] } });
  });

  it('replace a port on request', async () => {
    const properties = { network: 'n', replacement_policy: 'REPLACE_ALWAYS' };
    const [scope, change] = changed(port, { network: 'n' }, { properties });
    await expect(port.update?.(scope, change)).rejects.toThrow(ReplacementNeeded);
  });

  it('send tags in a request of their own', async () => {
    const answers = { 'PUT /v2.0/networks/id-1/tags': {} };
    const [scope, change] = changed(net, {}, { properties: { tags: ['a'] }, answers });
    await net.update?.(scope, change);
    expect(scope.requests).toMatchObject([{ json: { tags: ['a'] } }]);
  });

  it('add and remove addresses of a group by its present ones', async () => {
    const path = '/v2.0/address-groups/id-1';
    const answers = {
      [`GET ${path}`]: { address_group: { addresses: ['10.0.0.0/8', '172.16.0.0/12'] } },
      [`PUT ${path}/add_addresses`]: {},
      [`PUT ${path}/remove_addresses`]: {},
    };
    const properties = { addresses: ['10.0.0.0/8', '192.168.0.0/16'] };
    const [scope, change] = changed(addressGroup, {}, { properties, answers });
    await addressGroup.update?.(scope, change);
    expect(scope.requests.slice(1).map(({ json }) => json)).toEqual([
      { addresses: ['192.168.0.0/16'] },
      { addresses: ['172.16.0.0/12'] },
    ]);
  });

  it('remove a subport before they add another', async () => {
    const path = '/v2.0/trunks/id-1';
    const sub = (port: string) => ({ port, segmentation_type: 'vlan', segmentation_id: 3 });
    const shown = { port_id: 'a', segmentation_type: 'vlan', segmentation_id: 3 };
    const answers = {
      [`GET ${path}/get_subports`]: { sub_ports: [shown] },
      [`PUT ${path}/remove_subports`]: {},
      [`PUT ${path}/add_subports`]: {},
    };
    const properties = { port: 'p', sub_ports: [sub('b')] };
    const before = { port: 'p', sub_ports: [sub('a')] };
    const [scope, change] = changed(trunk, before, { properties, answers });
    await trunk.update?.(scope, change);
    expect(scope.requests.slice(1).map(({ json }) => json)).toEqual([
      { sub_ports: [{ port_id: 'a' }] },
      { sub_ports: [{ ...shown, port_id: 'b' }] },
    ]);
  });
});

describe('implicit dependencies', () => {
  const ref = (name: string): JsonObject => ({ get_resource: name });
  const all = {
    net: definition('OS::Neutron::Net', {}),
    subnet: definition('OS::Neutron::Subnet', { network: ref('net') }),
    other: definition('OS::Neutron::Subnet', { network_id: 'elsewhere' }),
    port: definition('OS::Neutron::Port', { network: ref('net') }),
    router: definition('OS::Neutron::Router', { external_gateway_info: { network: 'public' } }),
    interface: definition('OS::Neutron::RouterInterface', {
      router: ref('router'),
      subnet: ref('subnet'),
    }),
    otherInterface: definition('OS::Neutron::RouterInterface', {
      router: ref('router'),
      subnet: ref('other'),
    }),
    outside: definition('OS::Neutron::Subnet', { network: 'public' }),
    ip: definition('OS::Neutron::FloatingIP', {
      floating_network: 'public',
      port_id: ref('port'),
    }),
    gateway: definition('OS::Neutron::RouterGateway', {
      router_id: ref('router'),
      network: 'public',
    }),
  };

  it.each([
    ['subnets of its network, to a port', port, all.port, ['subnet']],
    ['subnets of the external network, to a router', router, all.router, ['outside']],
    [
      'ways out, and the foot in the subnet of its port, to a floating IP',
      floatingIp,
      all.ip,
      ['gateway', 'router', 'interface'],
    ],
    [
      'interfaces of its router and subnets of its network, to a gateway',
      routerGateway,
      all.gateway,
      ['interface', 'otherInterface', 'outside'],
    ],
  ])('%s', (_, type, one, names) => {
    expect(type.implicitRequires?.(one, all)).toEqual(names);
  });
});

describe('quotas', () => {
  it('are set, and reset when the resource is deleted', async () => {
    const path = '/v2.0/quotas/p';
    const properties = { project: 'p', network: 5 };
    const scope = testScope(networkQuota, { properties, answers: { [`PUT ${path}`]: {} } });
    expect(await networkQuota.create(scope)).toEqual({ physicalId: 'shop-web-k3jd8s2mxq5p' });
    await networkQuota.remove(scope);
    expect(calledIn(scope)).toEqual([`PUT ${path}`, `DELETE ${path}`]);
    expect(scope.requests[0]?.json).toEqual({ quota: { network: 5 } });
  });
});
