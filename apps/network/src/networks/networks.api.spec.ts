import { newId } from '@cumulet/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { messageOf, refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaNetworks: -1 } });
});
afterAll(() => network.stop());

const FLAT = { 'provider:network_type': 'flat', 'provider:physical_network': 'public' };

const post = (fields: object, token = network.admin) =>
  network.client.post('/v2.0/networks', { token, body: { network: fields } });

describe('a network', () => {
  it('is applied to the data plane with its subnets, and removed from it', async () => {
    const { network: made, subnet } = await network.networkWith('10.1.0.0/24');
    await network.settle();
    expect(network.dataPlane.networks.get(made.id)).toMatchObject({
      mtu: 1442,
      networkType: 'geneve',
      subnets: [{ id: subnet.id, cidr: '10.1.0.0/24', gatewayIp: '10.1.0.1' }],
    });
    expect(await network.show('networks', made.id)).toMatchObject({
      status: 'ACTIVE',
      subnets: [subnet.id],
    });
    const { client, member: token } = network;
    expect((await client.delete(`/v2.0/networks/${made.id}`, { token })).status).toBe(204);
    expect((await client.get(`/v2.0/networks/${made.id}`, { token })).status).toBe(404);
    expect((await client.get(`/v2.0/subnets/${subnet.id}`, { token })).status).toBe(404);
    await network.settle();
    expect(network.dataPlane.networks.has(made.id)).toBe(false);
    const rows: unknown[] = await network.app.dataSource.query(
      'SELECT FROM networks WHERE id = $1',
      [made.id],
    );
    expect(rows).toEqual([]);
  });

  it('is not deleted while it has ports', async () => {
    const { network: made } = await network.networkWith('10.1.0.0/24');
    const port = await network.create('ports', { network_id: made.id });
    const { client, member: token } = network;
    const refused = await client.delete(`/v2.0/networks/${made.id}`, { token });
    expect(refusalOf(refused)).toEqual([409, 'NetworkInUse']);
    expect((await client.delete(`/v2.0/ports/${port.id}`, { token })).status).toBe(204);
    expect((await client.delete(`/v2.0/networks/${made.id}`, { token })).status).toBe(204);
    await eventually('the data plane has let go of both', () => {
      const { networks, ports } = network.dataPlane;
      return !networks.has(made.id) && !ports.has(port.id);
    });
  });

  it('hides its segment from its owner', async () => {
    const made = await network.create('networks', {});
    expect(Object.keys(made)).not.toContain('provider:network_type');
    expect(await network.show('networks', made.id, network.admin)).toMatchObject({
      'provider:network_type': 'geneve',
      'provider:physical_network': null,
      'provider:segmentation_id': expect.any(Number),
    });
  });

  it('is visible to others if it is shared or external, and to nobody else', async () => {
    const own = await network.create('networks', {});
    const shared = await network.create('networks', { shared: true }, network.admin);
    const external = await network.create('networks', { 'router:external': true }, network.admin);
    const seen = await network.list('networks', network.stranger);
    expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining([shared.id, external.id]));
    expect(seen.map(({ id }) => id)).not.toContain(own.id);
  });

  it('stays shared while other projects have ports on it', async () => {
    const { id } = await network.create('networks', { shared: true }, network.admin);
    const port = await network.create('ports', { network_id: id });
    const unshare = () =>
      network.client.put(`/v2.0/networks/${id}`, {
        token: network.admin,
        body: { network: { shared: false } },
      });
    expect(refusalOf(await unshare())).toEqual([409, 'InvalidSharedSetting']);
    await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    expect((await unshare()).status).toBe(200);
  });

  it('keeps an MTU that its subnets need', async () => {
    const { network: made } = await network.networkWith('2001:db8::/64');
    const put = (mtu: number) =>
      network.client.put(`/v2.0/networks/${made.id}`, {
        token: network.member,
        body: { network: { mtu } },
      });
    expect(refusalOf(await put(1000))).toEqual([409, 'NetworkMTUSubnetConflict']);
    expect((await put(1280)).body).toMatchObject({ network: { mtu: 1280 } });
  });

  it('has at most the MTU of tunnels, unless it is on a physical network', async () => {
    const make = (fields: object) =>
      network.client.post('/v2.0/networks', {
        token: network.admin,
        body: { network: { mtu: 1443, ...fields } },
      });
    expect(refusalOf(await make({}))).toEqual([400, 'InvalidInput']);
    expect((await make({ 'provider:network_type': 'local' })).status).toBe(201);
    const { id } = await network.create('networks', {});
    const answer = await network.client.put(`/v2.0/networks/${id}`, {
      token: network.member,
      body: { network: { mtu: 1443 } },
    });
    expect(refusalOf(answer)).toEqual([400, 'InvalidInput']);
  });

  it.each([
    [67, 4, '10.0.0.0/24'],
    [1279, 6, '2001:db8::/64'],
  ])('with the MTU %d refuses subnets of IP version %d', async (mtu, ip_version, cidr) => {
    const { id: network_id } = await network.create('networks', { mtu });
    const answer = await network.client.post('/v2.0/subnets', {
      token: network.member,
      body: { subnet: { network_id, ip_version, cidr } },
    });
    expect(refusalOf(answer)).toEqual([409, 'NetworkMTUSubnetConflict']);
    expect(await network.list(`subnets?network_id=${network_id}`)).toEqual([]);
  });
});

describe('a provider network', () => {
  it('is the only flat one on its physical network', async () => {
    const made = await network.create('networks', FLAT, network.admin);
    expect(refusalOf(await post(FLAT))).toEqual([409, 'FlatNetworkInUse']);
    await network.client.delete(`/v2.0/networks/${made.id}`, { token: network.admin });
    expect((await post(FLAT)).status).toBe(201);
  });

  it('has a unique VLAN or tunnel ID', async () => {
    const vlan = { ...FLAT, 'provider:network_type': 'vlan', 'provider:segmentation_id': 7 };
    expect((await post(vlan)).status).toBe(201);
    expect(refusalOf(await post(vlan))).toEqual([409, 'VlanIdInUse']);
    const tunnel = { 'provider:network_type': 'geneve', 'provider:segmentation_id': 99_000 };
    expect((await post(tunnel)).status).toBe(201);
    expect(refusalOf(await post(tunnel))).toEqual([409, 'TunnelIdInUse']);
  });

  it('is skipped when tunnel IDs are assigned', async () => {
    const segment = 'provider:segmentation_id';
    const made = await network.create('networks', {});
    const { [segment]: last } = await network.show('networks', made.id, network.admin);
    const chosen = { 'provider:network_type': 'geneve', [segment]: Number(last) + 1 };
    expect((await post(chosen)).status).toBe(201);
    const next = await network.create('networks', {});
    expect(await network.show('networks', next.id, network.admin)).toMatchObject({
      [segment]: Number(last) + 2,
    });
  });

  it.each([
    ['network_type required', { 'provider:physical_network': 'public' }],
    ['physical_network required for flat provider network', { 'provider:network_type': 'flat' }],
    [
      "physical_network 'mars' unknown for flat provider network",
      { ...FLAT, 'provider:physical_network': 'mars' },
    ],
    [
      'segmentation_id prohibited for flat provider network',
      { ...FLAT, 'provider:segmentation_id': 7 },
    ],
    [
      'physical_network prohibited for geneve provider network',
      { ...FLAT, 'provider:network_type': 'geneve' },
    ],
    [
      "segmentation_id '4095' is not one of 1 to 4094, as a vlan provider network requires",
      { ...FLAT, 'provider:network_type': 'vlan', 'provider:segmentation_id': 4095 },
    ],
  ])('is refused: %s', async (reason, fields) => {
    const answer = await post(fields);
    expect(refusalOf(answer)).toEqual([400, 'InvalidInput']);
    expect(messageOf(answer)).toBe(`Invalid input for operation: ${reason}.`);
  });
});

describe('a domain', () => {
  it.each(['networks', 'floatingips'])(
    'for %s is complete, and other values are refused',
    async (path) => {
      const refused = [
        'x"); output; ("',
        'a.example',
        'a..b.',
        '-a.',
        'a b.',
        'a\n.',
        'a.'.repeat(127),
      ];
      for (const dns_domain of refused) {
        const [singular = ''] = path.split(/s$/);
        const more = path === 'networks' ? {} : { floating_network_id: newId() };
        const body = { [singular]: { dns_domain, ...more } };
        const answer = await network.client.post(`/v2.0/${path}`, { token: network.member, body });
        expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
        expect(messageOf(answer)).toContain('dns_domain');
      }
    },
  );

  it('is case-insensitive', async () => {
    const { id } = await network.create('networks', { dns_domain: 'A.Example.' });
    expect(await network.show('networks', id)).toMatchObject({ dns_domain: 'a.example.' });
    expect(await network.list('networks?dns_domain=a.EXAMPLE.')).toMatchObject([{ id }]);
  });
});
