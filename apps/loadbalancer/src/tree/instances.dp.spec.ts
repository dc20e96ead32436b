/** What runs a load balancer, with HAProxy as it is: as its flavor says, and made anew by a failover. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DATA_PLANE } from '../data-plane/data-plane.js';
import { flavorProfiles, flavors } from '../flavors/flavor.resource.js';
import { membersOf, ProxyWorld } from '../data-plane/haproxy/haproxy.fixture.js';
import { nudgeLoadBalancer } from './take-tree.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { insertTree, members } from './tree.fixture.js';

let world: ProxyWorld;
let fixture: LoadBalancerFixture;

beforeAll(async () => {
  world = await ProxyWorld.start();
  const overrides = [{ provide: DATA_PLANE, useValue: world.dataPlane }];
  fixture = await startLoadBalancer({ overrides });
});
afterAll(async () => {
  await fixture.stop();
  await world.end();
});

it('has the threads and connections of its flavor, before and after a failover', async () => {
  const { ctx, config, admin: token } = fixture;
  const { host } = config;
  const [flavorProfileId, flavorId] = [randomUUID(), randomUUID()];
  await flavorProfiles.insert(ctx, {
    id: flavorProfileId,
    name: 'small',
    providerName: 'haproxy',
    flavorData: '{"threads": 3, "connection_limit": 77}',
  });
  await flavors.insert(ctx, { id: flavorId, name: 'small', flavorProfileId });
  const vip = { vipAddress: `${world.prefix}.1`, vipPortId: randomUUID() };
  const { id, memberId } = await insertTree(fixture, { host, flavorId, ...vip });
  const { address, port: protocolPort } = await world.member('one');
  await members.update(ctx, memberId, { address, protocolPort });
  await nudgeLoadBalancer(ctx, { id, host });
  await fixture.settle();

  const look = async (): Promise<unknown> => {
    const info = await world.ask(id, 'show info');
    const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(info)?.[1]);
    const served = await membersOf(`http://${world.prefix}.1:80/`, 1);
    return [figure('Nbthread'), figure('Maxconn'), served];
  };
  expect(await look()).toEqual([3, 77, ['one']]);
  const former = await world.master(id);
  await fixture.client.put(`/v2/lbaas/loadbalancers/${id}/failover`, { token });
  await fixture.settle();
  expect(await world.master(id)).not.toBe(former);
  expect(await look()).toEqual([3, 77, ['one']]);
});
