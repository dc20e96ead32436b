/** Load balancers on networks, with HAProxy and OVN as they are: who reaches them, and what is left. */
import 'reflect-metadata';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reaches } from '@cumulet/network/data-plane/ovn/host/test-guest.fixture';
import { eventually } from '@cumulet/testing/settle';
import { BalancedNetwork, LBAAS, NETWORKING, type Fields } from './balanced-network.fixture.js';

const NAMESPACES = '/run/netns';

let at: BalancedNetwork;
let balancer: Fields;
let pool: Fields;

async function add(path: string, name: string, fields: object): Promise<Fields> {
  const made = await at.create(`${LBAAS}/${path}`, { [name]: fields });
  await at.settled(balancer);
  return made;
}

const answers = (port: number) => at.answers(balancer, port);

beforeAll(async () => {
  at = await BalancedNetwork.start('haproxy', { port_range_min: 8080, port_range_max: 8080 });
  balancer = await at.balance();
}, 120_000);
afterAll(() => at.stop(), 60_000);

describe('a load balancer on a network', () => {
  it('is reachable on its network, and reaches its members there', async () => {
    const of = { loadbalancer_id: balancer.id, protocol: 'TCP' };
    const listener = await add('listeners', 'listener', { ...of, protocol_port: 80 });
    pool = await add('pools', 'pool', {
      listener_id: listener.id,
      protocol: 'TCP',
      lb_algorithm: 'ROUND_ROBIN',
    });
    for (const address of at.members)
      await add(`pools/${pool.id}/members`, 'member', { address, protocol_port: 8080 });
    await eventually('it answers', () => answers(80));
    // By whatever member it is the turn of.
    expect(await answers(80)).toBe(true);
  });

  it('admits the ports and networks of its listeners', async () => {
    expect(await answers(81)).toBe(false);
    const of = { loadbalancer_id: balancer.id, protocol: 'TCP', default_pool_id: pool.id };
    const from = (cidr: string, port: number) =>
      add('listeners', 'listener', { ...of, protocol_port: port, allowed_cidrs: [cidr] });
    await from('10.0.0.0/24', 81);
    await from('192.0.2.0/24', 82);
    await eventually('it answers', () => answers(81));
    expect(await answers(82)).toBe(false);
  });

  it('is reachable from outside by a floating IP', async () => {
    const address = await at.floatingIp(balancer);
    await eventually('the floating IP answers', () => reaches(address, 80));
  });

  it('leaves no namespace, port or security group behind', async () => {
    const name = (await readdir(NAMESPACES)).find((one) =>
      one.endsWith(`.${String(balancer['vip_port_id'])}`),
    );
    expect(name).toBeDefined();
    await at.remove(balancer);
    await eventually('its namespace is gone', async () => {
      return !(await readdir(NAMESPACES)).includes(name ?? '');
    });
    const groups = `${NETWORKING}/security-groups?name=lb-${balancer.id}`;
    expect(await at.show(groups, at.admin)).toEqual([]);
  });
});
