import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1, quotaSubnets: -1 } });
});
afterAll(() => network.stop());

const post = async (fields: object, id?: string, token = network.member) => {
  const network_id = id ?? (await network.create('networks', {})).id;
  const subnet = { network_id, ip_version: 4, cidr: '10.0.0.0/24', ...fields };
  return network.client.post('/v2.0/subnets', { token, body: { subnet } });
};

const put = (id: string, subnet: object) =>
  network.client.put(`/v2.0/subnets/${id}`, { token: network.member, body: { subnet } });

describe('a subnet', () => {
  it('has defaults that follow from its CIDR', async () => {
    const { subnet } = await network.networkWith('10.0.0.0/24');
    expect(subnet).toMatchObject({
      cidr: '10.0.0.0/24',
      gateway_ip: '10.0.0.1',
      allocation_pools: [{ start: '10.0.0.2', end: '10.0.0.254' }],
      enable_dhcp: true,
      dns_nameservers: [],
      host_routes: [],
      ipv6_ra_mode: null,
      subnetpool_id: null,
    });
  });

  it('drops host bits of its CIDR', async () => {
    const { subnet } = await network.networkWith('10.0.0.77/24');
    expect(subnet).toMatchObject({ cidr: '10.0.0.0/24', gateway_ip: '10.0.0.1' });
  });

  it('refuses a route whose destination has host bits', async () => {
    const host_routes = [{ destination: '10.9.0.1/16', nexthop: '10.0.0.9' }];
    const { id } = await network.create('networks', {});
    const answer = await post({ host_routes }, id);
    expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
    expect(messageOf(answer)).toContain("'10.9.0.1/16' is not a valid CIDR");
  });

  it('keeps the spelling of name servers and routes', async () => {
    const { id } = await network.create('networks', {});
    const given = {
      dns_nameservers: ['2001:DB8::53'],
      host_routes: [{ destination: '2001:DB8:F::/48', nexthop: '2001:db8:a::b' }],
    };
    const body = { network_id: id, ip_version: 6, cidr: '2001:DB8:A::/64', ...given };
    expect(await network.create('subnets', body)).toMatchObject({
      ...given,
      cidr: '2001:db8:a::/64',
    });
    await network.settle();
    expect(network.dataPlane.networks.get(id)?.subnets).toMatchObject([
      {
        dnsNameservers: ['2001:db8::53'],
        hostRoutes: [{ destination: '2001:db8:f::/48', nexthop: '2001:db8:a::b' }],
      },
    ]);
  });

  it('is found by whether its network is shared with the caller', async () => {
    const { subnet: own } = await network.networkWith('10.0.0.0/24');
    const fields = { shared: true, project_id: network.project };
    const { id: network_id } = await network.create('networks', fields, network.admin);
    const body = { network_id, ip_version: 4, cidr: '10.1.0.0/24' };
    const shared = await network.create('subnets', body);
    const found = async (query: string) =>
      (await network.list(`subnets?${query}`)).map(({ id }) => id);
    expect(await found('shared=true')).toEqual([shared.id]);
    expect(await found('shared=False')).toContain(own.id);
    expect(await found('shared=False')).not.toContain(shared.id);
  });

  it('increments the revision of its network, when it is created, changed or deleted', async () => {
    const { id: network_id } = await network.create('networks', {});
    const revision = async () => (await network.show('networks', network_id)).revision_number;
    const revisions = [await revision()];
    const { id } = await network.create('subnets', {
      network_id,
      ip_version: 4,
      cidr: '10.0.0.0/24',
    });
    revisions.push(await revision());
    await put(id, { name: 'new' });
    revisions.push(await revision());
    await network.client.delete(`/v2.0/subnets/${id}`, { token: network.member });
    revisions.push(await revision());
    expect(revisions).toEqual([0, 1, 2, 3]);
  });

  it('has pools on both sides of a gateway in the middle', async () => {
    const { body } = await post({ gateway_ip: '10.0.0.100' });
    expect(body).toMatchObject({
      subnet: {
        allocation_pools: [
          { start: '10.0.0.1', end: '10.0.0.99' },
          { start: '10.0.0.101', end: '10.0.0.254' },
        ],
      },
    });
  });

  it('may have no gateway', async () => {
    const { body } = await post({ gateway_ip: null });
    expect(body).toMatchObject({
      subnet: { gateway_ip: null, allocation_pools: [{ start: '10.0.0.1', end: '10.0.0.254' }] },
    });
  });

  it.each([
    ['10.0.0.7/32', undefined, '10.0.0.8', [['10.0.0.7', '10.0.0.7']]],
    ['10.0.0.0/31', null, null, [['10.0.0.0', '10.0.0.1']]],
    ['10.0.0.0/31', '10.0.0.9', '10.0.0.9', [['10.0.0.0', '10.0.0.1']]],
  ])(
    'of one or two addresses, %s with the gateway %s has %s',
    async (cidr, given, shown, pools) => {
      const { body } = await post({ cidr, gateway_ip: given, enable_dhcp: false });
      const allocation_pools = pools.map(([start, end]) => ({ start, end }));
      expect(body).toMatchObject({ subnet: { gateway_ip: shown, allocation_pools } });
    },
  );

  it('has IPv6 addresses in canonical form', async () => {
    const { body } = await post({ ip_version: 6, cidr: '2001:DB8:0::/64' });
    expect(body).toMatchObject({
      subnet: {
        cidr: '2001:db8::/64',
        gateway_ip: '2001:db8::1',
        allocation_pools: [{ start: '2001:db8::2', end: '2001:db8::ffff:ffff:ffff:ffff' }],
      },
    });
  });

  it.each([
    [400, 'HTTPBadRequest', { cidr: '10.0.0.0' }],
    [400, 'HTTPBadRequest', { cidr: '10.0.0.0/33' }],
    [400, 'HTTPBadRequest', { ip_version: 5 }],
    [400, 'InvalidInput', { ip_version: 6 }],
    [400, 'InvalidInput', { cidr: '0.0.0.0/0' }],
    [400, 'InvalidInput', { cidr: '10.0.0.0/31' }],
    [409, 'IpamValueInvalid', { cidr: '10.0.0.0/31', enable_dhcp: false }],
    [400, 'InvalidInput', { cidr: '10.0.0.0/31', enable_dhcp: false, gateway_ip: '10.0.0.1' }],
    [400, 'InvalidInput', { cidr: '10.0.0.7/32', enable_dhcp: false, gateway_ip: '10.0.0.7' }],
    [400, 'InvalidInput', { cidr: '224.0.0.0/24' }],
    [400, 'InvalidInput', { cidr: '127.0.0.0/24' }],
    [400, 'InvalidInput', { cidr: '0.0.0.0/8' }],
    [400, 'InvalidInput', { gateway_ip: '10.0.0.255' }],
    [400, 'InvalidInput', { gateway_ip: 'fe80::1' }],
    [400, 'InvalidInput', { dns_nameservers: ['fe80::1'] }],
    [400, 'HTTPBadRequest', { dns_nameservers: ['1.1.1.1', '1.1.1.1'] }],
    [
      400,
      'DNSNameServersExhausted',
      { dns_nameservers: [1, 2, 3, 4, 5, 6].map((n) => `1.1.1.${n}`) },
    ],
    [400, 'HTTPBadRequest', { host_routes: [{ destination: '10.9.0.0/16' }] }],
    [400, 'InvalidInput', { host_routes: [{ destination: '10.9.0.0/16', nexthop: 'fe80::1' }] }],
    [400, 'InvalidInput', { ipv6_ra_mode: 'slaac' }],
    [400, 'InvalidSubnetServiceType', { service_types: ['elsewhere'] }],
    [400, 'InvalidAllocationPool', { allocation_pools: [pool('10.0.0.9', '10.0.0.2')] }],
    [400, 'InvalidAllocationPool', { allocation_pools: [pool('fe80::2', 'fe80::9')] }],
    [400, 'OutOfBoundsAllocationPool', { allocation_pools: [pool('10.0.0.2', '10.0.1.9')] }],
    [400, 'OutOfBoundsAllocationPool', { allocation_pools: [pool('10.0.0.0', '10.0.0.9')] }],
    [
      409,
      'OverlappingAllocationPools',
      { allocation_pools: [pool('10.0.0.2', '10.0.0.9'), pool('10.0.0.9', '10.0.0.20')] },
    ],
    [
      409,
      'GatewayConflictWithAllocationPools',
      { gateway_ip: '10.0.0.5', allocation_pools: [pool('10.0.0.2', '10.0.0.9')] },
    ],
  ])('is refused with %d %s: %j', async (status, type, fields) => {
    const { id } = await network.create('networks', {});
    expect(refusalOf(await post(fields, id))).toEqual([status, type]);
    expect(await network.list(`subnets?network_id=${id}`)).toEqual([]);
  });

  it.each([
    ['ipv6_ra_mode set to', { ipv6_ra_mode: 'slaac', ipv6_address_mode: 'dhcpv6-stateful' }],
    ['requires the prefix to be /64', { ipv6_ra_mode: 'slaac', cidr: '2001:db8::/80' }],
    ['enable_dhcp is set to False', { ipv6_ra_mode: 'slaac', enable_dhcp: false }],
    ["IPv6 subnet '::'", { cidr: '::/64' }],
  ])('refuses IPv6 modes that do not go together: %s', async (words, fields) => {
    const answer = await post({ ip_version: 6, cidr: '2001:db8::/64', ...fields });
    expect(refusalOf(answer)).toEqual([400, 'InvalidInput']);
    expect(messageOf(answer)).toContain(words);
  });

  it('must not overlap with another on its network, also for concurrent requests', async () => {
    const { id } = await network.create('networks', {});
    const answers = await Promise.all(
      ['10.0.0.0/24', '10.0.0.0/23', '10.0.0.128/25'].map((cidr) => post({ cidr }, id)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect((await post({ cidr: '10.0.4.0/24' }, id)).status).toBe(201);
  });

  it("is refused on another project's network, shared or not", async () => {
    const own = await network.create('networks', {});
    const shared = await network.create('networks', { shared: true }, network.admin);
    const asStranger = (id: string) => post({}, id, network.stranger);
    expect(refusalOf(await asStranger(own.id))).toEqual([404, 'NetworkNotFound']);
    expect(refusalOf(await asStranger(shared.id))).toEqual([403, 'PolicyNotAuthorized']);
  });

  it('is found by its version and CIDR', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const found = async (query: string) =>
      (await network.list(`subnets?network_id=${own.id}&${query}`)).map(({ id }) => id);
    expect(await found('ip_version=4&cidr=10.0.0.0/24&gateway_ip=10.0.0.1')).toEqual([subnet.id]);
    expect(await found('cidr=10.0.0.0/24&sort_key=cidr&sort_dir=desc&limit=1')).toEqual([
      subnet.id,
    ]);
    for (const query of ['ip_version=five', 'cidr=nonsense', 'gateway_ip=none', 'id=none'])
      expect(await found(query)).toEqual([]);
  });

  it('is validated again on a change', async () => {
    const { subnet } = await network.networkWith('10.0.0.0/24');
    const { body } = await put(subnet.id, { name: 'new', dns_nameservers: ['9.9.9.9'] });
    expect(body).toMatchObject({
      subnet: { name: 'new', dns_nameservers: ['9.9.9.9'], revision_number: 1 },
    });
    const inPool = await put(subnet.id, { gateway_ip: '10.0.0.77' });
    expect(refusalOf(inPool)).toEqual([409, 'GatewayConflictWithAllocationPools']);
    const readOnly = await put(subnet.id, { cidr: '10.1.0.0/24' });
    expect(refusalOf(readOnly)).toEqual([400, 'HTTPBadRequest']);
  });

  it("is deleted with addresses that hosts derive, but not with a router's", async () => {
    const modes = { ipv6_ra_mode: 'slaac', ipv6_address_mode: 'slaac' };
    const { network: own, subnet } = await network.networkWith('fd00:1::/64', modes);
    const port = await network.create('ports', { network_id: own.id });
    expect(port.fixed_ips).toHaveLength(1);
    const router = await network.create('routers', {});
    const wire = (verb: string) =>
      network.client.put(`/v2.0/routers/${router.id}/${verb}_router_interface`, {
        token: network.member,
        body: { subnet_id: subnet.id },
      });
    expect((await wire('add')).status).toBe(200);
    const remove = () =>
      network.client.delete(`/v2.0/subnets/${subnet.id}`, { token: network.member });
    expect(refusalOf(await remove())).toEqual([409, 'SubnetInUse']);
    expect((await wire('remove')).status).toBe(200);
    expect((await remove()).status).toBe(204);
    expect((await network.show('ports', port.id)).fixed_ips).toEqual([]);
    await network.settle();
    expect(network.dataPlane.ports.get(port.id)?.addresses).toEqual([]);
  });

  it('is not deleted while a port has one of its addresses', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const port = await network.create('ports', { network_id: own.id });
    const remove = () =>
      network.client.delete(`/v2.0/subnets/${subnet.id}`, { token: network.member });
    expect(refusalOf(await remove())).toEqual([409, 'SubnetInUse']);
    await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    expect((await remove()).status).toBe(204);
    await network.settle();
    expect(network.dataPlane.networks.get(own.id)).toMatchObject({ subnets: [] });
  });
});

function pool(start: string, end: string): object {
  return { start, end };
}
