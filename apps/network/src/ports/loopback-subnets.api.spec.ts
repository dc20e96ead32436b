/** Subnets of 127.0.0.0/8, for programs on the hosts themselves. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { messageOf, refusalOf, startNetwork } from '../network.fixture.js';
import type { NetworkFixture, Wire } from '../network.fixture.js';

let network: NetworkFixture;
let vips: Wire;
let subnet: Wire;

beforeAll(async () => {
  network = await startNetwork();
  vips = await network.create('networks', { 'router:external': true }, network.admin);
  const fields = { cidr: '127.90.0.0/16', ip_version: 4, enable_dhcp: false, gateway_ip: null };
  subnet = await network.create('subnets', { network_id: vips.id, ...fields }, network.admin);
});
afterAll(() => network.stop());

const refusal = () => [
  400,
  'LoopbackSubnet',
  `Subnet ${subnet.id} (127.90.0.0/16) has loopback addresses, which only ports of load balancers can have.`,
];

it('have addresses for load balancers, whose subnet every project sees', async () => {
  const { id } = (await network.list(`subnets?network_id=${vips.id}`))[0] as Wire;
  const asked = { network_id: vips.id, project_id: network.project, device_owner: 'Octavia' };
  const bound = { 'binding:host_id': 'here', 'binding:profile': { network_namespace: 'host' } };
  const port = await network.create('ports', { ...asked, ...bound }, network.service);
  expect(port.fixed_ips).toEqual([
    { subnet_id: id, ip_address: expect.stringMatching(/^127\.90\./) },
  ]);
  await network.settle();
  expect((await network.show('ports', port.id)).status).toBe('ACTIVE');
});

it.each([
  ['a server', 'ports', { device_owner: 'compute:nova' }],
  ['a port of no device', 'ports', {}],
  ['a port that names the subnet', 'ports', { named: true }],
])('have no addresses for %s', async (_, path, { named, ...fields }: Record<string, unknown>) => {
  const fixed = named === true ? { fixed_ips: [{ subnet_id: subnet.id }] } : {};
  const body = { port: { network_id: vips.id, ...fields, ...fixed } };
  const answer = await network.client.post(`/v2.0/${path}`, { token: network.admin, body });
  expect([...refusalOf(answer), messageOf(answer)]).toEqual(refusal());
});

it("have no addresses for floating IPs and routers' gateways", async () => {
  const floating = await network.client.post('/v2.0/floatingips', {
    token: network.member,
    body: { floatingip: { floating_network_id: vips.id } },
  });
  expect([...refusalOf(floating), messageOf(floating)]).toEqual(refusal());
  const info = { external_gateway_info: { network_id: vips.id } };
  const router = await network.client.post('/v2.0/routers', {
    token: network.member,
    body: { router: info },
  });
  expect([...refusalOf(router), messageOf(router)]).toEqual(refusal());
});
