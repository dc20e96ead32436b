import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';
import { MetadataPorts } from './metadata-ports.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1 } });
});
afterAll(() => network.stop());

const portsOf = ({ id }: Wire): Promise<Wire[]> =>
  network.list(`ports?network_id=${id}&device_owner=network:distributed`);
const put = (path: string, body: object) =>
  network.client.put(`/v2.0/${path}`, { token: network.member, body });
const remove = (path: string) => network.client.delete(`/v2.0/${path}`, { token: network.member });

/** Its metadata port. */
async function portOf(own: Wire): Promise<Wire> {
  const [port, ...others] = await portsOf(own);
  expect(others).toEqual([]);
  return port as Wire;
}

async function toldOf({ id }: Wire) {
  await network.settle();
  return network.dataPlane.networks.get(id)?.metadataPort;
}

describe('a network with DHCP', () => {
  it('has a metadata port, with an address on each of its subnets', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    const second = { network_id: own.id, ip_version: 4, cidr: '10.0.1.0/24' };
    const other = await network.create('subnets', second);
    const port = await portOf(own);
    expect(port).toMatchObject({
      device_id: `ovnmeta-${own.id}`,
      project_id: network.project,
      status: 'DOWN',
      fixed_ips: [
        { subnet_id: subnet.id, ip_address: '10.0.0.2' },
        { subnet_id: other.id, ip_address: '10.0.1.2' },
      ],
    });
    expect(await toldOf(own)).toEqual({
      portId: port.id,
      macAddress: port['mac_address'],
      addresses: [
        { subnetId: subnet.id, address: '10.0.0.2', cidr: '10.0.0.0/24' },
        { subnetId: other.id, address: '10.0.1.2', cidr: '10.0.1.0/24' },
      ],
    });
    expect(network.dataPlane.ports.has(port.id)).toBe(false);
  });

  it("releases the port's address with the subnet", async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24');
    const second = { network_id: own.id, ip_version: 4, cidr: '10.0.1.0/24' };
    const other = await network.create('subnets', second);
    expect((await remove(`subnets/${other.id}`)).status).toBe(204);
    expect((await portOf(own)).fixed_ips).toEqual([
      expect.objectContaining({ ip_address: '10.0.0.2' }),
    ]);
    expect((await toldOf(own))?.addresses).toHaveLength(1);
  });

  it('has the port for as long as it has DHCP for IPv4', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    await put(`subnets/${subnet.id}`, { subnet: { enable_dhcp: false } });
    expect(await portsOf(own)).toEqual([]);
    expect(await toldOf(own)).toBeNull();
    const taken = await network.create('ports', { network_id: own.id });
    expect(taken.fixed_ips).toEqual([{ subnet_id: subnet.id, ip_address: '10.0.0.2' }]);
    await put(`subnets/${subnet.id}`, { subnet: { enable_dhcp: true } });
    expect((await toldOf(own))?.addresses).toMatchObject([{ address: '10.0.0.3' }]);
  });

  it('has no metadata if every address is taken', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24', {
      enable_dhcp: false,
      allocation_pools: [{ start: '10.0.0.9', end: '10.0.0.9' }],
    });
    await network.create('ports', { network_id: own.id });
    const { status } = await put(`subnets/${subnet.id}`, { subnet: { enable_dhcp: true } });
    expect(status).toBe(200);
    expect((await portOf(own)).fixed_ips).toEqual([]);
    expect((await toldOf(own))?.addresses).toEqual([]);
  });

  it('keeps the port until it is deleted itself', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24');
    const { id } = await portOf(own);
    expect(refusalOf(await put(`ports/${id}`, { port: { device_id: '' } }))).toEqual([
      409,
      'PortInUse',
    ]);
    expect((await remove(`networks/${own.id}`)).status).toBe(204);
    await network.settle();
    expect(network.dataPlane.networks.has(own.id)).toBe(false);
    expect((await network.client.get(`/v2.0/ports/${id}`, { token: network.member })).status).toBe(
      404,
    );
  });

  it('can have its port renamed and moved to another address', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24');
    const { id } = await portOf(own);
    const fixed_ips = [{ ip_address: '10.0.0.99' }];
    const { status } = await put(`ports/${id}`, { port: { name: 'metadata', fixed_ips } });
    expect(status).toBe(200);
    expect((await toldOf(own))?.addresses).toMatchObject([{ address: '10.0.0.99' }]);
  });

  it('loses metadata with the port, until its subnets change', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24');
    const { id } = await portOf(own);
    expect(await toldOf(own)).toMatchObject({ portId: id });
    expect((await remove(`ports/${id}`)).status).toBe(204);
    expect(await portsOf(own)).toEqual([]);
    expect(await toldOf(own)).toBeFalsy();
    await network.create('subnets', { network_id: own.id, ip_version: 4, cidr: '10.0.1.0/24' });
    expect(await toldOf(own)).toMatchObject({ portId: (await portOf(own)).id });
  });

  it('gets the port also if an earlier version created it without', async () => {
    const { network: own, subnet } = await network.networkWith('10.0.0.0/24');
    await network.settle();
    const { id } = await portOf(own);
    for (const from of ['metadata_ports', 'ip_allocations'])
      await network.app.dataSource.query(`DELETE FROM ${from} WHERE port_id = $1`, [id]);
    await network.app.dataSource.query('DELETE FROM ports WHERE id = $1', [id]);
    await new MetadataPorts().complete(network.ctx);
    await new MetadataPorts().complete(network.ctx);
    const made = await portOf(own);
    expect(made.fixed_ips).toMatchObject([{ subnet_id: subnet.id }]);
    expect((await toldOf(own))?.portId).toBe(made.id);
  });
});

describe('a network without DHCP by IPv4', () => {
  it.each([
    ['without DHCP', '10.0.0.0/24', { enable_dhcp: false }],
    ['of IPv6', '2001:db8::/64', {}],
  ])('%s has no metadata port', async (_, cidr, fields) => {
    const { network: own } = await network.networkWith(cidr, fields);
    expect(await portsOf(own)).toEqual([]);
    expect(await toldOf(own)).toBeNull();
  });
});
