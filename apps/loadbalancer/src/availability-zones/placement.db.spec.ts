/** Load balancers are where their availability zone says. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { Metrics } from '@cumulet/common/observe/metrics';
import { newId } from '@cumulet/testing/test-tokens';
import { TakeoverSweep } from '../load-balancers/takeover.sweep.js';
import { loadBalancers } from '../tree/load-balancer.entity.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';

let north: LoadBalancerFixture;
let south: LoadBalancerFixture;

beforeAll(async () => {
  north = await startLoadBalancer({ config: { host: 'north-1', zone: 'north' } });
  south = await startLoadBalancer({ beside: north, config: { host: 'south-1', zone: 'south' } });
});
afterAll(async () => {
  await south.stop();
  await north.stop();
});

/** @returns the name of a new availability zone */
async function zoneOf(data: object): Promise<string> {
  const token = north.admin;
  const profile = {
    name: 'p',
    provider_name: 'haproxy',
    availability_zone_data: JSON.stringify(data),
  };
  const { body } = await north.client.post('/v2/lbaas/availabilityzoneprofiles', {
    token,
    body: { availability_zone_profile: profile },
  });
  const { id } = (body as { availability_zone_profile: { id: string } }).availability_zone_profile;
  const zone = { name: newId(), availability_zone_profile_id: id };
  const answer = await north.client.post('/v2/lbaas/availabilityzones', {
    token,
    body: { availability_zone: zone },
  });
  expect(answer.status).toBe(201);
  return zone.name;
}

const hostOf = async (zone: string | null): Promise<string | null> => {
  const { id } = await north.createLoadBalancer({ availability_zone: zone });
  return (await loadBalancers.get(north.ctx, id)).host;
};

it('places a load balancer on a host of its availability zone', async () => {
  const zones = [await zoneOf({ compute_zone: 'south' }), await zoneOf({ compute_zone: 'north' })];
  const hosts = [];
  for (const zone of [...zones, ...zones]) hosts.push(await hostOf(zone));
  expect(hosts).toEqual(['south-1', 'north-1', 'south-1', 'north-1']);
});

it('places a load balancer on any host if its availability zone names none', async () => {
  expect(await hostOf(await zoneOf({}))).toMatch(/-1$/);
});

it('assigns addresses only on the networks of the availability zone', async () => {
  const { networkId } = north.networks.subnet;
  const theirs = await zoneOf({ valid_vip_networks: [networkId] });
  const others = await zoneOf({ valid_vip_networks: [randomUUID()] });
  expect(await hostOf(theirs)).not.toBeNull();
  await expect(hostOf(others)).rejects.toThrow(
    'Supplied VIP network_id is not allowed by the configuration of this deployment.',
  );
});

it('leaves load balancers on a dead host if their availability zone has no other', async () => {
  const west = await startLoadBalancer({ beside: north, config: { host: 'west', zone: 'west' } });
  const zone = await zoneOf({ compute_zone: 'west' });
  const { id: stays } = await north.createLoadBalancer({ availability_zone: zone });
  const { id: goes } = await north.createLoadBalancer({});
  const query = (sql: string): Promise<unknown> => north.app.dataSource.query(sql);
  await query(`UPDATE load_balancers SET host = 'west' WHERE id = '${goes}'`);
  await west.stop();
  await query(`UPDATE hosts SET seen_at = now() - interval '9 seconds' WHERE name = 'west'`);
  const sweep = new TakeoverSweep(createLogger('test', 'silent'), new Metrics('test'));
  for (let now = 0; now <= 8_000; now += 2_000) await sweep.lookAt(north.ctx, now);
  await north.settle();
  expect(await loadBalancers.get(north.ctx, goes)).toMatchObject({
    host: expect.stringMatching(/-1$/) as unknown,
  });
  expect(await loadBalancers.get(north.ctx, stays)).toMatchObject({
    host: 'west',
    state: 'active',
    operatingStatus: 'ERROR',
    stateReason: 'The host that ran it went down.',
  });
});
