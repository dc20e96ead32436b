import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const show = async (id: string): Promise<object> => {
  const path = `/v2.0/network-ip-availabilities/${id}`;
  const { body } = await network.client.get(path, { token: network.admin });
  return (body as { network_ip_availability: object }).network_ip_availability;
};

const list = (query: string): Promise<object[]> =>
  network.list(`network-ip-availabilities?${query}`, network.admin);

describe('the IP availability of a network', () => {
  it('counts the addresses of pools and ports', async () => {
    const pools = [{ start: '10.1.0.10', end: '10.1.0.19' }];
    const { network: made, subnet } = await network.networkWith('10.1.0.0/24', {
      name: 'four',
      allocation_pools: pools,
      enable_dhcp: false,
    });
    const port = await network.create('ports', { network_id: made.id });
    const counts = { total_ips: 10, used_ips: 1 };
    const four = { subnet_id: subnet.id, subnet_name: 'four', ip_version: 4, cidr: '10.1.0.0/24' };
    expect(await show(made.id)).toEqual({
      network_id: made.id,
      network_name: 'net',
      project_id: network.project,
      tenant_id: network.project,
      ...counts,
      subnet_ip_availability: [{ ...four, ...counts }],
    });
    await network.client.delete(`/v2.0/ports/${port.id}`, { token: network.member });
    expect(await show(made.id)).toMatchObject({ used_ips: 0 });
  });

  it('is zero for a network without subnets', async () => {
    const { id } = await network.create('networks', {});
    const nothing = { total_ips: 0, used_ips: 0, subnet_ip_availability: [] };
    expect(await show(id)).toMatchObject(nothing);
  });

  it('counts one IP version on request', async () => {
    const { network: made } = await network.networkWith('10.2.0.0/24');
    const six = { network_id: made.id, ip_version: 6, cidr: '2001:db8::/120' };
    await network.create('subnets', six);
    expect(await show(made.id)).toMatchObject({ total_ips: 253 + 254 });
    const [found] = await list(`network_id=${made.id}&ip_version=6`);
    expect(found).toMatchObject({ total_ips: 254, subnet_ip_availability: [{ ip_version: 6 }] });
    const { network: other } = await network.networkWith('10.3.0.0/24');
    expect(await list(`network_id=${other.id}&ip_version=6`)).toEqual([]);
  });

  it('is found by the network’s name and project', async () => {
    const { id } = await network.create('networks', { name: 'found' });
    const asked = `network_name=found&project_id=${network.project}`;
    expect(await list(asked)).toMatchObject([{ network_id: id }]);
    expect(await list(`${asked}&fields=network_name`)).toEqual([{ network_name: 'found' }]);
  });

  it('is for administrators and services', async () => {
    const { id } = await network.create('networks', {});
    const ask = async (token: string, path: string) =>
      refusalOf(await network.client.get(`/v2.0/network-ip-availabilities${path}`, { token }));
    expect(await ask(network.member, `/${id}`)).toEqual([403, 'PolicyNotAuthorized']);
    expect(await ask(network.member, '')).toEqual([403, 'PolicyNotAuthorized']);
    expect(await ask(network.service, `/${id}`)).toEqual([200, undefined]);
    expect(await ask(network.admin, '/nothing')).toEqual([404, 'NetworkNotFound']);
    expect(await ask(network.admin, '?odd=1')).toEqual([400, 'HTTPBadRequest']);
  });
});
