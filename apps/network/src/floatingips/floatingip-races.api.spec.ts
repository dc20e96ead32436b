import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNetwork, type NetworkFixture } from '../network.fixture.js';
import { floatingTopology, type FloatingTopology } from './floating-topology.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;
let all: FloatingTopology;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaFloatingIps: -1 } });
  other = await startNetwork({ beside: network });
  all = await floatingTopology(network);
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

const newPort = () => network.create('ports', { network_id: all.inside.id });
const newOne = () => network.create('floatingips', { floating_network_id: all.outside.id });
const associate = ({ client }: NetworkFixture, id: string, portId: string | null) =>
  client.put(`/v2.0/floatingips/${id}`, {
    token: network.member,
    body: { floatingip: { port_id: portId } },
  });

describe('two replicas at once', () => {
  it('associate one fixed address, and one of them succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const port = await newPort();
      const [first, second] = [await newOne(), await newOne()];
      const answers = await Promise.all([
        associate(network, first.id, port.id),
        associate(other, second.id, port.id),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await network.list(`floatingips?port_id=${port.id}`)).toHaveLength(1);
    }
  });

  it('associate a port while it is deleted, and no floating IP refers to a deleted port', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [port, one] = [await newPort(), await newOne()];
      const [led, gone] = await Promise.all([
        associate(network, one.id, port.id),
        other.client.delete(`/v2.0/ports/${port.id}`, { token: network.member }),
      ]);
      expect([200, 404]).toContain(led.status);
      expect(gone.status).toBe(204);
      expect(await network.show('floatingips', one.id)).toMatchObject({ port_id: null });
    }
  });

  it('associate while the gateway is removed, and one of them is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [port, one] = [await newPort(), await newOne()];
      const set = (external_gateway_info: object | null) =>
        other.client.put(`/v2.0/routers/${all.router.id}`, {
          token: network.member,
          body: { router: { external_gateway_info } },
        });
      const [led, unset] = await Promise.all([associate(network, one.id, port.id), set(null)]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([led.status, unset.status]);
      await associate(network, one.id, null);
      await set({ network_id: all.outside.id });
    }
  });

  it('allocate every address of a network once', async () => {
    const { network: own } = await all.external('198.51.100.0/27');
    const ones = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        (at % 2 === 0 ? network : other).client.post('/v2.0/floatingips', {
          token: network.member,
          body: { floatingip: { floating_network_id: own.id } },
        }),
      ),
    );
    expect(ones.map(({ status }) => status)).toEqual(ones.map(() => 201));
    const made = await network.list(`floatingips?floating_network_id=${own.id}`);
    expect(new Set(made.map((one) => one['floating_ip_address'])).size).toBe(24);
  });
});
