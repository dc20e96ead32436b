import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaRouters: -1 } });
});
afterAll(() => network.stop());

const act = (id: string, verb: 'add' | 'remove', body: object) =>
  network.client.put(`/v2.0/routers/${id}/${verb}_router_interface`, {
    token: network.member,
    body,
  });
const newRouter = async () => (await network.create('routers', {})).id;
const portsOf = (id: string) => network.list(`ports?device_id=${id}`);
const remove = (path: string, token = network.member) =>
  network.client.delete(`/v2.0/${path}`, { token });

describe('an interface by subnet', () => {
  it('has the gateway address of the subnet, and is up once the data plane has applied it', async () => {
    const id = await newRouter();
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const added = await act(id, 'add', { subnet_id: subnet.id });
    const [port] = await portsOf(id);
    expect([added.status, added.body]).toEqual([
      200,
      {
        id,
        port_id: port?.id,
        network_id: own.id,
        tags: [],
        project_id: network.project,
        tenant_id: network.project,
        subnet_id: subnet.id,
        subnet_ids: [subnet.id],
      },
    ]);
    expect(port).toMatchObject({
      device_owner: 'network:router_interface',
      fixed_ips: [{ ip_address: '10.0.0.1' }],
    });
    await network.settle();
    expect(await portsOf(id)).toMatchObject([{ status: 'ACTIVE' }]);
    expect(network.dataPlane.routers.get(id)?.interfaces).toMatchObject([
      { portId: port?.id, addresses: [{ address: '10.0.0.1', cidr: '10.0.0.0/24' }] },
    ]);
    expect(network.dataPlane.ports.has(port?.id ?? '')).toBe(false);
    expect(refusalOf(await remove(`ports/${port?.id ?? ''}`))).toEqual([409, 'ServicePortInUse']);
    expect(refusalOf(await remove(`subnets/${subnet.id}`))).toEqual([409, 'SubnetInUse']);
    expect(refusalOf(await remove(`networks/${own.id}`))).toEqual([409, 'NetworkInUse']);
    const inUse = await remove(`routers/${id}`);
    expect([refusalOf(inUse), messageOf(inUse)]).toEqual([
      [409, 'RouterInUse'],
      `Router ${id} has ports still attached: ${port?.id ?? ''}`,
    ]);
    expect((await act(id, 'remove', { subnet_id: subnet.id })).status).toBe(200);
    expect(await portsOf(id)).toEqual([]);
    expect((await remove(`routers/${id}`)).status).toBe(204);
    expect((await remove(`networks/${own.id}`)).status).toBe(204);
    await network.settle();
    expect(network.dataPlane.networks.has(own.id)).toBe(false);
  });

  it('shares a port with other IPv6 subnets of the network', async () => {
    const id = await newRouter();
    const { network: own, subnet } = await network.networkWith('2001:db8:1::/64');
    const body = { network_id: own.id, ip_version: 6, cidr: '2001:db8:2::/64' };
    const second = await network.create('subnets', body);
    await act(id, 'add', { subnet_id: subnet.id });
    await act(id, 'add', { subnet_id: second.id });
    const [port, ...rest] = await portsOf(id);
    expect(rest).toEqual([]);
    expect(port?.fixed_ips.map((one) => one.ip_address)).toEqual([
      '2001:db8:1::1',
      '2001:db8:2::1',
    ]);
    await act(id, 'remove', { subnet_id: subnet.id });
    expect(await portsOf(id)).toMatchObject([{ fixed_ips: [{ subnet_id: second.id }] }]);
    await network.settle();
    const [held] = network.dataPlane.routers.get(id)?.interfaces ?? [];
    expect(held?.addresses.map(({ subnetId }) => subnetId)).toEqual([second.id]);
  });

  it('counts as a port of the project', async () => {
    const quota = (port: number) =>
      network.client.put(`/v2.0/quotas/${network.project}`, {
        token: network.admin,
        body: { quota: { port } },
      });
    const id = await newRouter();
    const { subnet } = await network.networkWith('10.0.0.0/24');
    await quota(0);
    const answer = await act(id, 'add', { subnet_id: subnet.id });
    await quota(500);
    expect(refusalOf(answer)[1]).toBe('OverQuota');
  });

  it("is refused without a gateway, on another project's subnet, or if the address is taken", async () => {
    const id = await newRouter();
    const bare = await network.networkWith('10.0.0.0/24', { gateway_ip: null });
    const withoutGateway = await act(id, 'add', { subnet_id: bare.subnet.id });
    expect(messageOf(withoutGateway)).toBe(
      'Bad router request: Subnet for router interface must have a gateway IP.',
    );
    const shared = await network.create('networks', { shared: true }, network.admin);
    const theirs = await network.create(
      'subnets',
      { network_id: shared.id, ip_version: 4, cidr: '10.3.0.0/24' },
      network.admin,
    );
    expect(messageOf(await act(id, 'add', { subnet_id: theirs.id }))).toContain(
      `subnet ${theirs.id} is not owned by project making the request`,
    );
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const fixed_ips = [{ ip_address: '10.0.0.1' }];
    await network.create('ports', { network_id: own.id, fixed_ips });
    expect(refusalOf(await act(id, 'add', { subnet_id: subnet.id }))).toEqual([
      409,
      'IpAddressInUse',
    ]);
    expect(refusalOf(await act(id, 'add', { subnet_id: newId() }))).toEqual([
      404,
      'SubnetNotFound',
    ]);
    expect(await portsOf(id)).toEqual([]);
  });

  it("is refused for IPv6 with an external router's advertisements", async () => {
    const id = await newRouter();
    const { subnet } = await network.networkWith('2001:db8::/64', { ipv6_address_mode: 'slaac' });
    const answer = await act(id, 'add', { subnet_id: subnet.id });
    expect(refusalOf(answer)).toEqual([400, 'BadRequest']);
    expect(messageOf(answer)).toContain(subnet.id);
  });

  it('must not overlap with another', async () => {
    const id = await newRouter();
    const [one, two] = [
      await network.networkWith('10.0.0.0/16'),
      await network.networkWith('10.0.1.0/24'),
    ];
    await act(id, 'add', { subnet_id: one.subnet.id });
    const twice = await act(id, 'add', { subnet_id: one.subnet.id });
    expect([refusalOf(twice), messageOf(twice)]).toEqual([
      [400, 'BadRequest'],
      `Bad router request: Router already has a port on subnet ${one.subnet.id}.`,
    ]);
    const crossing = await act(id, 'add', { subnet_id: two.subnet.id });
    expect(messageOf(crossing)).toBe(
      `Bad router request: Cidr 10.0.1.0/24 of subnet ${two.subnet.id} overlaps with cidr 10.0.0.0/16 of subnet ${one.subnet.id}.`,
    );
    expect(await portsOf(id)).toHaveLength(1);
  });
});

describe('an interface by port', () => {
  const newPort = async (cidr: string, fields: object = {}): Promise<Wire> => {
    const { network: own } = await network.networkWith(cidr);
    return network.create('ports', { network_id: own.id, ...fields });
  };

  it('takes the port over, and deletes it with the interface', async () => {
    const id = await newRouter();
    const port = await newPort('10.0.0.0/24');
    await network.settle();
    expect(network.dataPlane.ports.has(port.id)).toBe(true);
    expect((await act(id, 'add', { port_id: port.id })).status).toBe(200);
    await network.settle();
    expect(network.dataPlane.ports.has(port.id)).toBe(false);
    const owned = { device_id: id, device_owner: 'network:router_interface', status: 'ACTIVE' };
    expect(await network.show('ports', port.id)).toMatchObject(owned);
    const again = await act(await newRouter(), 'add', { port_id: port.id });
    expect([refusalOf(again), messageOf(again)]).toEqual([
      [409, 'PortInUse'],
      `Unable to complete operation on port ${port.id} for network ${String(port['network_id'])}. Port already has an attached device ${id}.`,
    ]);
    const body = { port: { device_owner: '' } };
    const url = `/v2.0/ports/${port.id}`;
    const freed = await network.client.put(url, { token: network.member, body });
    expect(refusalOf(freed)).toEqual([409, 'PortInUse']);
    await act(id, 'remove', { port_id: port.id });
    expect((await network.client.get(url, { token: network.member })).status).toBe(404);
  });

  it('keeps an address as long as it belongs to a router', async () => {
    const id = await newRouter();
    const port = await newPort('10.0.0.0/24');
    await act(id, 'add', { port_id: port.id });
    const answer = await network.client.put(`/v2.0/ports/${port.id}`, {
      token: network.member,
      body: { port: { fixed_ips: [] } },
    });
    expect([answer.status, messageOf(answer)]).toEqual([
      400,
      'Bad router request: Router port must have at least one fixed IP.',
    ]);
    expect(await network.show('ports', port.id)).toMatchObject({ fixed_ips: port.fixed_ips });
  });

  it('has an address, and at most one IPv4 subnet', async () => {
    const id = await newRouter();
    const bare = await newPort('10.0.0.0/24', { fixed_ips: [] });
    expect(messageOf(await act(id, 'add', { port_id: bare.id }))).toBe(
      'Bad router request: Router port must have at least one fixed IP.',
    );
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const second = { network_id: own.id, ip_version: 4, cidr: '10.0.1.0/24' };
    const { id: subnet_id } = await network.create('subnets', second);
    const fixed_ips = [{ subnet_id: subnet.id }, { subnet_id }];
    const both = await network.create('ports', { network_id: own.id, fixed_ips });
    expect(messageOf(await act(id, 'add', { port_id: both.id }))).toBe(
      'Bad router request: Cannot have multiple IPv4 subnets on router port.',
    );
  });

  it('applies other addresses, and its state when it is disabled', async () => {
    const id = await newRouter();
    const port = await newPort('10.0.0.0/24');
    await act(id, 'add', { port_id: port.id });
    const fixed_ips = [{ ip_address: '10.0.0.77' }];
    const body = { port: { fixed_ips, admin_state_up: false } };
    const url = `/v2.0/ports/${port.id}`;
    expect((await network.client.put(url, { token: network.member, body })).status).toBe(200);
    await network.settle();
    expect(network.dataPlane.routers.get(id)?.interfaces).toMatchObject([
      { adminStateUp: false, addresses: [{ address: '10.0.0.77' }] },
    ]);
    expect(await network.show('ports', port.id)).toMatchObject({ status: 'DOWN' });
  });
});

describe('removing an interface', () => {
  it.each([
    ['Either subnet_id or port_id must be specified', {}],
    ["'odd' is not a valid UUID", { subnet_id: 'odd' }],
  ])('refuses: %s', async (reason, body) => {
    const answer = await act(await newRouter(), 'remove', body);
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [400, 'BadRequest'],
      `Bad router request: ${reason}.`,
    ]);
  });

  it('requires an existing one, on the named subnet', async () => {
    const id = await newRouter();
    const { subnet } = await network.networkWith('10.0.0.0/24');
    const none = await act(id, 'remove', { subnet_id: subnet.id });
    expect(refusalOf(none)).toEqual([404, 'RouterInterfaceNotFoundForSubnet']);
    const unknown = newId();
    const answer = await act(id, 'remove', { port_id: unknown });
    expect([refusalOf(answer), messageOf(answer)]).toEqual([
      [404, 'RouterInterfaceNotFound'],
      `Router ${id} does not have an interface with id ${unknown}`,
    ]);
    await act(id, 'add', { subnet_id: subnet.id });
    const [port] = await portsOf(id);
    const other = await act(id, 'remove', { port_id: port?.id, subnet_id: newId() });
    expect(refusalOf(other)).toEqual([400, 'SubnetMismatchForPort']);
    expect(refusalOf(await act(id, 'add', { port_id: newId(), subnet_id: subnet.id }))).toEqual([
      400,
      'BadRequest',
    ]);
  });
});
