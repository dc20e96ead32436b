import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaRouters: -1 } });
  other = await startNetwork({ beside: network });
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

/** @param at the replica that gets the request */
const act = (id: string, verb: 'add' | 'remove', body: object, at = 0) =>
  (at === 0 ? network : other).client.put(`/v2.0/routers/${id}/${verb}_router_interface`, {
    token: network.member,
    body,
  });
const newRouter = async () => (await network.create('routers', {})).id;
const portsOf = (id: string) => network.list(`ports?device_id=${id}`);

describe('two replicas at once', () => {
  it('add overlapping subnets to a router, and one of them succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await newRouter();
      const nets = await Promise.all(
        ['10.0.0.0/16', '10.0.1.0/24'].map((cidr) => network.networkWith(cidr)),
      );
      const answers = await Promise.all(
        nets.map(({ subnet }, at) => act(id, 'add', { subnet_id: subnet.id }, at)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(await portsOf(id)).toHaveLength(1);
    }
  });

  it('add one port to two routers, and one of them succeeds', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24');
    const port = await network.create('ports', { network_id: own.id });
    const ids = [await newRouter(), await newRouter()];
    const answers = await Promise.all(
      ids.map((id, at) => act(id, 'add', { port_id: port.id }, at)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('add an interface while the port or the subnet is deleted, and nothing remains in part', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await newRouter();
      const { subnet } = await network.networkWith('10.0.0.0/24');
      const [added, gone] = await Promise.all([
        act(id, 'add', { subnet_id: subnet.id }),
        other.client.delete(`/v2.0/subnets/${subnet.id}`, { token: network.member }),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([added.status, gone.status]);
      expect(await portsOf(id)).toHaveLength(added.status === 200 ? 1 : 0);
    }
  });
});
