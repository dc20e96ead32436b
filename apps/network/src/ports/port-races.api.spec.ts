import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNetwork, type NetworkFixture, type Wire } from '../network.fixture.js';

let network: NetworkFixture;
let other: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork({ config: { quotaPorts: -1 } });
  other = await startNetwork({ beside: network });
});
afterAll(async () => {
  await other.stop();
  await network.stop();
});

const create = ({ client }: NetworkFixture, port: object) =>
  client.post('/v2.0/ports', { token: network.member, body: { port } });

/** All addresses of the subnet are left for the ports of the test. */
const WITHOUT_DHCP = { enable_dhcp: false };

describe('ports that many clients create at once, in two processes', () => {
  it('get distinct addresses, and all are used', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24', WITHOUT_DHCP);
    let left = 200;
    const client = async (at: number): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const { status } = await create(at % 2 === 0 ? network : other, { network_id: own.id });
        if (status !== 201) throw new Error(`create answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, at) => client(at)));
    const ports = await network.list(`ports?network_id=${own.id}`);
    const addresses = ports.flatMap((port: Wire) => port.fixed_ips.map((ip) => ip.ip_address));
    const macs = ports.map((port) => port['mac_address']);
    expect([new Set(addresses).size, new Set(macs).size]).toEqual([200, 200]);
  });

  it('request one address, and one of them gets it', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24', WITHOUT_DHCP);
    const port = { network_id: own.id, fixed_ips: [{ ip_address: '10.0.0.77' }] };
    const answers = await Promise.all(
      [network, other, network, other].map((one) => create(one, port)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('request an address that is just being released, and one of them gets it', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/29', WITHOUT_DHCP);
    const named = { network_id: own.id, fixed_ips: [{ ip_address: '10.0.0.2' }] };
    for (let round = 0; round < 10; round += 1) {
      const [first] = await network.list(
        `ports?fixed_ips=ip_address=10.0.0.2&network_id=${own.id}`,
      );
      const path = `/v2.0/ports/${first?.id ?? ''}`;
      await Promise.all([
        first ? network.client.delete(path, { token: network.member }) : undefined,
        create(other, named),
      ]);
    }
    const rest = await Promise.all(
      [1, 2, 3, 4, 5].map(() => create(network, { network_id: own.id })),
    );
    const ports = await network.list(`ports?network_id=${own.id}`);
    expect(ports).toHaveLength(5);
    expect(rest.every(({ status }) => [201, 409].includes(status))).toBe(true);
  });

  it('lose no address if their network is deleted', async () => {
    const { network: own } = await network.networkWith('10.0.0.0/24', WITHOUT_DHCP);
    const [port, gone] = await Promise.all([
      create(network, { network_id: own.id }),
      other.client.delete(`/v2.0/networks/${own.id}`, { token: network.member }),
    ]);
    expect([
      [201, 409],
      [404, 204],
    ]).toContainEqual([port.status, gone.status]);
  });
});
