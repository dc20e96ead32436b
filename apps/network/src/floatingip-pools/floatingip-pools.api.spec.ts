import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

describe('floating IP pools', () => {
  it('are the IPv4 subnets of external networks that the project sees', async () => {
    await network.networkWith('10.1.0.0/24');
    const external = { 'router:external': true };
    const { id: network_id } = await network.create('networks', external, network.admin);
    const four = { network_id, name: 'four', ip_version: 4, cidr: '203.0.113.0/24' };
    const subnet = await network.create('subnets', four, network.admin);
    const six = { network_id, ip_version: 6, cidr: '2001:db8::/64' };
    await network.create('subnets', six, network.admin);
    const pool = { subnet_id: subnet.id, subnet_name: 'four', network_id, cidr: four.cidr };
    const own = { project_id: network.project, tenant_id: network.project };
    expect(await network.list('floatingip_pools')).toEqual([{ ...pool, ...own }]);
    expect(await network.list('floatingip-pools')).toEqual([{ ...pool, ...own }]);
    expect(await network.list('floatingip_pools?subnet_name=odd')).toEqual([]);
    expect(await network.list(`floatingip_pools?limit=1&marker=${subnet.id}`)).toEqual([]);
    await network.client.put(`/v2.0/networks/${network_id}`, {
      token: network.admin,
      body: { network: { 'router:external': false } },
    });
    expect(await network.list('floatingip_pools')).toEqual([]);
  });
});
