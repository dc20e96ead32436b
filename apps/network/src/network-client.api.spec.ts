/** Methods of the client for other services that no other test uses, against the service itself. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { NO_CREDENTIALS } from '@cumulet/clients/http/credentials';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startNetwork, type NetworkFixture } from './network.fixture.js';

let fixture: NetworkFixture;
let client: NetworkClient;
let actor: Actor;

beforeAll(async () => {
  fixture = await startNetwork();
  const { baseUrl: networkUrl } = fixture.client;
  client = new NetworkClient({ networkUrl, credentials: NO_CREDENTIALS });
  actor = asBearer(fixture.member);
});
afterAll(async () => {
  await client.close();
  await fixture.stop();
});

it('finds networks and subnets by ID, or else by name', async () => {
  const { network, subnet } = await fixture.networkWith('10.1.0.0/24', { name: 'nodes' });
  const named = await fixture.create('networks', { name: network.id });
  const ids = async (found: Promise<{ id: string }[]>): Promise<string[]> =>
    (await found).map(({ id }) => id);
  expect(await ids(client.networksOf(actor, network.id))).toEqual([network.id]);
  expect(await ids(client.networksOf(actor, named.id))).toEqual([named.id]);
  expect(await ids(client.networksOf(actor, newId()))).toEqual([]);
  expect(await ids(client.subnetsOf(actor, subnet.id))).toEqual([subnet.id]);
  expect(await ids(client.subnetsOf(actor, 'nodes'))).toEqual([subnet.id]);
});

it('finds the floating IPs of a port, and deletes them', async () => {
  const outside = await fixture.create(
    'networks',
    { name: 'outside', 'router:external': true },
    fixture.admin,
  );
  await fixture.create(
    'subnets',
    { network_id: outside.id, ip_version: 4, cidr: '203.0.113.0/24' },
    fixture.admin,
  );
  const floatingIp = await fixture.create('floatingips', { floating_network_id: outside.id });
  const one = { id: floatingIp.id, portId: null };
  expect(await client.floatingIps(actor, { id: floatingIp.id })).toMatchObject([one]);
  await client.deleteFloatingIp(actor, floatingIp.id);
  await client.deleteFloatingIp(actor, floatingIp.id);
  expect(await client.floatingIps(actor, { id: floatingIp.id })).toEqual([]);
});
