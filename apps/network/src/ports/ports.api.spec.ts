import { newId } from '@cumulet/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';
import type { Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  const config = { quotaNetworks: -1, quotaSubnets: -1, quotaPorts: -1 };
  network = await startNetwork({ config });
});
afterAll(() => network.stop());

const post = (port: object, token = network.member) =>
  network.client.post('/v2.0/ports', { token, body: { port } });

const put = (id: string, port: object, token = network.member) =>
  network.client.put(`/v2.0/ports/${id}`, { token, body: { port } });

const addresses = ({ fixed_ips }: Wire) => fixed_ips.map(({ ip_address }) => ip_address);

/** All addresses of the subnet are left for the ports of the test. */
const withoutDhcp = (cidr: string, fields: object = {}) =>
  network.networkWith(cidr, { enable_dhcp: false, ...fields });

describe('a port', () => {
  it('gets an address of each IP version, and a MAC', async () => {
    const { network: own, subnet } = await withoutDhcp('10.0.0.0/24');
    const v6 = { network_id: own.id, ip_version: 6, cidr: '2001:db8::/64' };
    const other = await network.create('subnets', v6);
    const port = await network.create('ports', { network_id: own.id, name: 'first' });
    expect(port).toMatchObject({
      status: 'DOWN',
      mac_address: expect.stringMatching(/^fa:16:3e(:[0-9a-f]{2}){3}$/),
      fixed_ips: [
        { subnet_id: subnet.id, ip_address: '10.0.0.2' },
        { subnet_id: other.id, ip_address: '2001:db8::2' },
      ],
      port_security_enabled: true,
      device_id: '',
    });
  });

  it('has the address that follows from its MAC on a subnet with SLAAC', async () => {
    const modes = { ipv6_ra_mode: 'slaac', ipv6_address_mode: 'slaac' };
    const { network: own } = await network.networkWith('2001:db8::/64', modes);
    const mac_address = 'FA-16-3E-00-00-01';
    const port = await network.create('ports', { network_id: own.id, mac_address });
    expect(port).toMatchObject({
      mac_address: 'fa:16:3e:00:00:01',
      fixed_ips: [{ ip_address: '2001:db8::f816:3eff:fe00:1' }],
    });
    const named = { network_id: own.id, fixed_ips: [{ ip_address: '2001:db8::7' }] };
    expect(refusalOf(await post(named))).toEqual([400, 'AllocationOnAutoAddressSubnet']);
  });

  it('has the requested addresses, ordered as text, also outside of the pools', async () => {
    const { network: own, subnet } = await withoutDhcp('10.0.0.0/24', {
      allocation_pools: [{ start: '10.0.0.50', end: '10.0.0.51' }],
    });
    const fixed_ips = [
      { ip_address: '10.0.0.51' },
      { subnet_id: subnet.id },
      { subnet_id: subnet.id, ip_address: '10.0.0.200' },
    ];
    const port = await network.create('ports', { network_id: own.id, fixed_ips });
    expect(addresses(port)).toEqual(['10.0.0.200', '10.0.0.50', '10.0.0.51']);
    const next = await post({ network_id: own.id });
    expect(refusalOf(next)).toEqual([409, 'IpAddressGenerationFailure']);
  });

  it('cannot have an address of a subnet of another network, or of an invisible one', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/24');
    const { subnet: other } = await withoutDhcp('10.1.0.0/24');
    const { id } = await network.create('ports', { network_id: own.id });
    const asked = async (subnet_id: string) => {
      const fixed_ips = [{ subnet_id }];
      const made = await post({ network_id: own.id, fixed_ips });
      const body = { port: { fixed_ips } };
      const changed = await network.client.put(`/v2.0/ports/${id}`, {
        token: network.member,
        body,
      });
      return [refusalOf(made), refusalOf(changed)];
    };
    const elsewhere = [400, 'InvalidInput'];
    expect(await asked(other.id)).toEqual([elsewhere, elsewhere]);
    const unknown = [404, 'SubnetNotFound'];
    expect(await asked(newId())).toEqual([unknown, unknown]);
    expect(await network.list(`ports?network_id=${own.id}`)).toHaveLength(1);
  });

  it('may have a multicast MAC, as in Neutron', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/24');
    const mac_address = '11:22:33:44:55:66';
    const port = await network.create('ports', { network_id: own.id, mac_address });
    expect(port).toMatchObject({ mac_address });
  });

  it('has two addresses of one subnet on request', async () => {
    const { network: own, subnet } = await withoutDhcp('10.0.0.0/24');
    const fixed_ips = [{ subnet_id: subnet.id }, { subnet_id: subnet.id }];
    const port = await network.create('ports', { network_id: own.id, fixed_ips });
    expect(addresses(port)).toEqual(['10.0.0.2', '10.0.0.3']);
  });

  it('may have no address', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/24');
    const port = await network.create('ports', { network_id: own.id, fixed_ips: [] });
    expect(port.fixed_ips).toEqual([]);
  });

  it.each([
    [400, 'InvalidIpForNetwork', { fixed_ips: [{ ip_address: '10.9.0.1' }] }],
    [400, 'InvalidIpForNetwork', { fixed_ips: [{ ip_address: 'fe80::1' }] }],
    [400, 'InvalidIpForSubnet', { fixed_ips: [{ ip_address: '10.0.0.255' }] }],
    [409, 'IpAddressInUse', { fixed_ips: [{ ip_address: '10.0.0.2' }] }],
    [409, 'MacAddressInUse', { mac_address: 'fa:16:3e:00:00:99' }],
    [400, 'HTTPBadRequest', { mac_address: 'FF:FF:FF:FF:FF:FF' }],
    [400, 'HTTPBadRequest', { fixed_ips: [{ ip_address: '10.0.0.300' }] }],
    [400, 'HTTPBadRequest', { fixed_ips: [{ address: '10.0.0.3' }] }],
    [400, 'InvalidInput', { fixed_ips: [{}] }],
    [404, 'SubnetNotFound', { fixed_ips: [{ subnet_id: '00000000-0000-4000-8000-000000000000' }] }],
    [
      409,
      'AddressPairAndPortSecurityRequired',
      { port_security_enabled: false, allowed_address_pairs: [{ ip_address: '10.0.0.9' }] },
    ],
    [404, 'NetworkNotFound', { network_id: '00000000-0000-4000-8000-000000000000' }],
    [403, 'PolicyNotAuthorized', { 'binding:host_id': 'here' }],
  ])('is refused with %d %s: %j', async (status, type, fields) => {
    const { network: own } = await withoutDhcp('10.0.0.0/24');
    await network.create('ports', { network_id: own.id, mac_address: 'fa:16:3e:00:00:99' });
    expect(refusalOf(await post({ network_id: own.id, ...fields }))).toEqual([status, type]);
    expect(await network.list(`ports?network_id=${own.id}`)).toHaveLength(1);
  });

  it('gets addresses only of subnets for its device owner', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/24', {
      service_types: ['compute:nova'],
    });
    const other = await post({ network_id: own.id });
    expect(refusalOf(other)).toEqual([409, 'IpAddressGenerationFailureNoMatchingSubnet']);
    const device = { network_id: own.id, device_owner: 'compute:nova' };
    expect(addresses(await network.create('ports', device))).toEqual(['10.0.0.2']);
  });

  it('releases its addresses when it is deleted or changed', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/29');
    const make = () => network.create('ports', { network_id: own.id });
    const ports = [];
    for (let at = 0; at < 5; at += 1) ports.push(await make());
    expect(ports.flatMap(addresses)).toEqual([2, 3, 4, 5, 6].map((n) => `10.0.0.${n}`));
    expect((await post({ network_id: own.id })).status).toBe(409);
    for (const at of [1, 3, 2]) {
      const { id } = ports[at] as Wire;
      await network.client.delete(`/v2.0/ports/${id}`, { token: network.member });
    }
    const moved = await put((ports[0] as Wire).id, { fixed_ips: [{ ip_address: '10.0.0.5' }] });
    expect(moved.body).toMatchObject({ port: { fixed_ips: [{ ip_address: '10.0.0.5' }] } });
    const again = [await make(), await make(), await make()].flatMap(addresses);
    expect(again.sort()).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4']);
  });

  it('keeps the address of a subnet that is named again', async () => {
    const { network: own, subnet } = await withoutDhcp('10.0.0.0/24');
    const port = await network.create('ports', { network_id: own.id });
    const fixed_ips = [{ subnet_id: subnet.id }, { ip_address: '10.0.0.9' }];
    const { body } = await put(port.id, { fixed_ips });
    expect(addresses((body as { port: Wire }).port)).toEqual(['10.0.0.2', '10.0.0.9']);
  });

  it('is found by address, subnet and status', async () => {
    const { network: own, subnet } = await withoutDhcp('10.77.0.0/24');
    const port = await network.create('ports', { network_id: own.id });
    const found = async (query: string) =>
      (await network.list(`ports?${query}`)).map((one) => one.id);
    expect(await found('fixed_ips=ip_address=10.77.0.2')).toEqual([port.id]);
    expect(await found(`fixed_ips=subnet_id=${subnet.id}&status=DOWN`)).toEqual([port.id]);
    expect(await found('fixed_ips=ip_address_substr=10.77.')).toEqual([port.id]);
    expect(await found('fixed_ips=ip_address_substr=7.0.2')).toEqual([port.id]);
    expect(await found('fixed_ips=ip_address_substr=10%25.2')).toEqual([]);
    const both = `subnet_id=${subnet.id},ip_address=10.77.0`;
    expect(await found(`fixed_ips=${both}.2`)).toEqual([port.id]);
    expect(await found(`fixed_ips=${both}.3`)).toEqual([]);
    const each = both.split(',').map((one) => `fixed_ips=${one}`);
    expect(await found(`${each.join('&')}.2`)).toEqual([port.id]);
    expect(await found(`network_id=${own.id}&status=ACTIVE`)).toEqual([]);
    const odd = await network.client.get('/v2.0/ports?fixed_ips=colour=red', {
      token: network.member,
    });
    expect(refusalOf(odd)).toEqual([400, 'HTTPBadRequest']);
  });

  it('has DHCP options, which a change adds or removes', async () => {
    const { id: network_id } = await network.create('networks', {});
    const extra_dhcp_opts = [
      { opt_name: 'tftp-server', opt_value: '10.0.0.9' },
      { opt_name: 'bootfile-name', opt_value: 'pxe' },
    ];
    const port = await network.create('ports', { network_id, extra_dhcp_opts });
    const change = [
      { opt_name: 'bootfile-name', opt_value: null },
      { opt_name: 'mtu', opt_value: '1400' },
    ];
    const { body } = await put(port.id, { extra_dhcp_opts: change });
    expect(body).toMatchObject({
      port: {
        extra_dhcp_opts: [
          { opt_name: 'tftp-server', opt_value: '10.0.0.9', ip_version: 4 },
          { opt_name: 'mtu', opt_value: '1400', ip_version: 4 },
        ],
      },
    });
  });

  it.each([
    ['opens another action', 'bootfile-name', 'a\n"); output; ("'],
    ['is no value of the option', 'mtu', '1400); output; '],
    ['is blank', 'mtu', ' '],
    ['is no address', 'dns-server', '10.0.0.1}, drop;'],
  ])('refuses a DHCP option whose value %s', async (_, opt_name, opt_value) => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    const extra_dhcp_opts = [{ opt_name, opt_value }];
    expect(refusalOf(await put(port.id, { extra_dhcp_opts }))).toEqual([400, 'HTTPBadRequest']);
    const body = { port: { network_id, extra_dhcp_opts } };
    const made = await network.client.post('/v2.0/ports', { token: network.member, body });
    expect(refusalOf(made)).toEqual([400, 'HTTPBadRequest']);
    expect((made.body as { NetworkError: Wire }).NetworkError['message']).toContain(
      opt_value.trim().slice(0, 4),
    );
    expect(await network.list(`ports?network_id=${network_id}`)).toHaveLength(1);
  });

  it('keeps a DHCP option that OVN does not know', async () => {
    const { id: network_id } = await network.create('networks', {});
    const extra_dhcp_opts = ['constructor', '__proto__', 'tag:a,option'].map((opt_name) => ({
      opt_name,
      opt_value: '"); output;',
      ip_version: 4,
    }));
    const port = await network.create('ports', { network_id, extra_dhcp_opts });
    expect(port['extra_dhcp_opts']).toEqual(extra_dhcp_opts);
  });
});

describe('several ports at once', () => {
  it('have distinct addresses, or none of them is created', async () => {
    const { network: own } = await withoutDhcp('10.0.0.0/29');
    const bulk = (count: number) =>
      network.client.post('/v2.0/ports', {
        token: network.member,
        body: { ports: Array.from({ length: count }, () => ({ network_id: own.id })) },
      });
    expect(refusalOf(await bulk(6))).toEqual([409, 'IpAddressGenerationFailure']);
    const { status, body } = await bulk(5);
    const { ports } = body as { ports: Wire[] };
    expect([status, new Set(ports.flatMap(addresses)).size]).toEqual([201, 5]);
  });
});

describe('a bound port', () => {
  const bind = (id: string, host: string) =>
    put(id, { 'binding:host_id': host, device_owner: 'compute:nova' }, network.service);

  it('is active on its host, and down without one', async () => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    const { body } = await bind(port.id, 'here');
    expect(body).toMatchObject({
      port: { status: 'BUILD', 'binding:vif_type': 'ovs', 'binding:host_id': 'here' },
    });
    await network.settle();
    expect(await network.show('ports', port.id)).toMatchObject({ status: 'ACTIVE' });
    expect(network.dataPlane.ports.get(port.id)).toMatchObject({ host: 'here' });
    await put(port.id, { admin_state_up: false });
    await network.settle();
    expect(await network.show('ports', port.id)).toMatchObject({ status: 'DOWN' });
  });

  it('stays active while it is changed', async () => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    await bind(port.id, 'here');
    await network.settle();
    const allowed_address_pairs = [{ ip_address: '10.0.0.0/24' }];
    const { body } = await put(port.id, { allowed_address_pairs });
    expect(body).toMatchObject({ port: { status: 'ACTIVE' } });
    await network.settle();
    expect(network.dataPlane.ports.get(port.id)).toMatchObject({
      addressPairs: [{ address: '10.0.0.0/24', macAddress: port['mac_address'] }],
    });
  });

  it('keeps the spelling of its address pairs, which are compared in canonical form', async () => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    const mac_address = String(port['mac_address']);
    const pairs = ['10.0.0.7/24', '2001:DB8::7', '2001:DB8:0:1::7/64'].map((ip_address) => ({
      ip_address,
      mac_address,
    }));
    const { body } = await put(port.id, { allowed_address_pairs: pairs });
    expect(body).toMatchObject({ port: { allowed_address_pairs: pairs } });
    await network.settle();
    const told = network.dataPlane.ports.get(port.id)?.addressPairs;
    expect(told?.map(({ address }) => address)).toEqual([
      '10.0.0.0/24',
      '2001:db8::7',
      '2001:db8:0:1::/64',
    ]);
    const twice = ['10.0.0.7/24', '10.0.0.0/24'].map((ip_address) => ({ ip_address }));
    const refused = await put(port.id, { allowed_address_pairs: twice });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('duplicate address pair'),
    ]);
  });

  it('keeps its MAC, and hides its host from its owner', async () => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    await bind(port.id, 'here');
    const answer = await put(port.id, { mac_address: 'fa:16:3e:12:34:56' });
    expect(refusalOf(answer)).toEqual([409, 'PortBound']);
    expect(Object.keys(await network.show('ports', port.id))).not.toContain('binding:host_id');
  });

  it('is removed from the data plane when it is deleted', async () => {
    const { id: network_id } = await network.create('networks', {});
    const port = await network.create('ports', { network_id });
    await bind(port.id, 'here');
    await network.settle();
    await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    await network.settle();
    expect(network.dataPlane.ports.has(port.id)).toBe(false);
  });
});

describe("a port on another project's network", () => {
  it("may not send from other addresses, unless the network's owner permits it", async () => {
    const fields = { shared: true, project_id: network.project };
    const { id: network_id } = await network.create('networks', fields, network.admin);
    const allowed_address_pairs = [{ ip_address: '10.0.0.0/24' }];
    const answer = await post({ network_id, allowed_address_pairs }, network.stranger);
    expect(refusalOf(answer)).toEqual([403, 'PolicyNotAuthorized']);
    const none = { network_id, allowed_address_pairs: [] };
    const port = await network.create('ports', none, network.stranger);
    const change = await put(port.id, { allowed_address_pairs }, network.stranger);
    expect(refusalOf(change)).toEqual([403, 'PolicyNotAuthorized']);
  });

  it("can be deleted but not changed by the network's owner", async () => {
    const fields = { shared: true, project_id: network.project };
    const { id: network_id } = await network.create('networks', fields, network.admin);
    const port = await network.create('ports', { network_id }, network.stranger);
    expect(refusalOf(await put(port.id, { name: 'mine' }))).toEqual([403, 'PolicyNotAuthorized']);
    const gone = await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    expect(gone.status).toBe(204);
  });

  it('is created on a shared network, at an address that it does not choose', async () => {
    const fields = { shared: true, project_id: network.project };
    const { id: network_id } = await network.create('networks', fields, network.admin);
    await network.create('subnets', { network_id, ip_version: 4, cidr: '10.0.0.0/24' });
    const mac = await post({ network_id, mac_address: 'fa:16:3e:00:00:01' }, network.stranger);
    expect(refusalOf(mac)).toEqual([403, 'PolicyNotAuthorized']);
    const fixed_ips = [{ ip_address: '10.0.0.77' }];
    const chosen = await post({ network_id, fixed_ips }, network.stranger);
    expect(refusalOf(chosen)).toEqual([403, 'PolicyNotAuthorized']);
    const port = await network.create('ports', { network_id }, network.stranger);
    expect((await network.show('ports', port.id)).id).toBe(port.id);
  });

  it('is refused on an external network', async () => {
    const fields = { 'router:external': true };
    const { id: network_id } = await network.create('networks', fields, network.admin);
    expect(refusalOf(await post({ network_id }))).toEqual([403, 'PolicyNotAuthorized']);
  });
});

describe("a port with a router's device owner", () => {
  it('can be deleted like any other', async () => {
    const { id: network_id } = await network.create('networks', {});
    const device_owner = 'network:router_interface';
    const port = await network.create('ports', { network_id, device_owner });
    await network.settle();
    expect(await network.show('ports', port.id)).toMatchObject({ status: 'DOWN' });
    const answer = await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    expect(answer.status).toBe(204);
  });
});
