/** The client that sister services use, against the service it is a client of. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { NO_CREDENTIALS } from '@cumulet/clients/http/credentials';
import { LoadBalancersClient } from '@cumulet/clients/load-balancer/load-balancers-client';
import { startLoadBalancer, type LoadBalancerFixture } from './loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;
let client: LoadBalancersClient;
let actor: Actor;

beforeAll(async () => {
  fixture = await startLoadBalancer();
  const { baseUrl: loadBalancerUrl } = fixture.client;
  client = new LoadBalancersClient({ loadBalancerUrl, credentials: NO_CREDENTIALS });
  actor = asBearer(fixture.member);
});
afterAll(async () => {
  await client.close();
  await fixture.stop();
});

it('lists load balancers by project, name and subnet', async () => {
  const name = 'kube_service_1_default_web';
  const made = await fixture.createLoadBalancer({ name, description: 'of a cluster' });
  await fixture.createLoadBalancer({ name: 'other' });
  const { project: projectId, networks } = fixture;
  expect(await client.list(actor, { projectId, vipSubnetId: networks.subnet.id })).toHaveLength(2);
  expect(await client.list(actor, { name })).toMatchObject([
    { id: made.id, projectId, name, description: 'of a cluster', provisioningStatus: 'ACTIVE' },
  ]);
  expect(await client.find(actor, made.id)).toMatchObject({ vipPortId: made['vip_port_id'] });
});

it('deletes a load balancer with everything in it', async () => {
  const { id } = await fixture.createLoadBalancer({
    listeners: [{ protocol: 'TCP', protocol_port: 80 }],
  });
  await client.deleteWhole(actor, id);
  await fixture.settle();
  expect(await client.find(actor, id)).toBeUndefined();
  await client.deleteWhole(actor, id);
});
