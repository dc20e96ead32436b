/** Load balancers that OVN carries, with its services as they are. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reaches } from '@cumulet/network/data-plane/ovn/host/test-guest.fixture';
import { eventually } from '@cumulet/testing/settle';
import { BalancedNetwork, LBAAS, NETWORKING, type Fields } from './balanced-network.fixture.js';

let at: BalancedNetwork;
let balancer: Fields;
let members: readonly Fields[];
let pool: Fields;

const answers = () => at.answers(balancer, 80);

beforeAll(async () => {
  // No host runs what OVN carries.
  at = await BalancedNetwork.start('simulated', {});
  const offered = async () =>
    (await at.cloud.client.get(`${LBAAS}/providers`, { token: at.demo })).text.includes('"ovn"');
  await eventually('the network service knows its hosts', offered);
  balancer = await at.balance({
    provider: 'ovn',
    listeners: [
      {
        protocol: 'TCP',
        protocol_port: 80,
        default_pool: {
          name: 'web',
          protocol: 'TCP',
          lb_algorithm: 'SOURCE_IP_PORT',
          members: at.members.map((address) => ({ address, protocol_port: 8080 })),
          healthmonitor: { type: 'TCP', delay: 1, timeout: 1, max_retries: 1, max_retries_down: 1 },
        },
      },
    ],
  });
  const { pools } = balancer as unknown as { pools: Fields[] };
  [pool] = pools as [Fields];
  members = await at.show<Fields[]>(`${LBAAS}/pools/${pool.id}/members`);
}, 120_000);
afterAll(() => at.stop(), 60_000);

describe('a load balancer of the provider OVN', () => {
  it('is reachable on its network', async () => {
    await eventually('it answers', answers);
    expect(await answers()).toBe(true);
  });

  it('is reachable from outside by a floating IP', async () => {
    const address = await at.floatingIp(balancer);
    await eventually('the floating IP answers', () => reaches(address, 80));
    expect(await answers()).toBe(true);
  });

  it('shows the status of its members, and continues without one that is down', async () => {
    const statusesOf = async () => {
      const list = await at.show<Fields[]>(`${LBAAS}/pools/${pool.id}/members`);
      return list.map((one) => String(one['operating_status'])).sort();
    };
    const are = (...statuses: readonly string[]) =>
      eventually(statuses.join(), async () => (await statusesOf()).join() === statuses.join());
    expect(members).toHaveLength(2);
    await are('ONLINE', 'ONLINE');
    at.servers[1]?.kill('SIGKILL');
    await are('ERROR', 'ONLINE');
    for (let times = 0; times < 8; times++) expect(await answers()).toBe(true);
  });

  it('leaves no port and nothing in OVN', async () => {
    await at.remove(balancer);
    const left = async (owner: string): Promise<unknown> =>
      at.show(`${NETWORKING}/ports?network_id=${at.network.id}&device_owner=${owner}`, at.admin);
    expect(await left('Octavia')).toEqual([]);
    expect(await left('ovn-lb-hm:distributed')).toEqual([]);
    await eventually('it answers no more', async () => !(await answers()));
  });
});
