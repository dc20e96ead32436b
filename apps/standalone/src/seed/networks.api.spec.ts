/** The subnet on which load balancers have addresses of the machine itself. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { SERVICES } from '../services.js';
import { startTestCloud, type TestCloud } from '../test-cloud.fixture.js';
import { hasNoSwitch, seedVipNetwork } from './networks.js';

interface Shown {
  readonly id: string;
  readonly network_id: string;
  readonly [name: string]: unknown;
}

let cloud: TestCloud;
let admin: string;
let demo: string;

beforeAll(async () => {
  const needed = SERVICES.filter(({ name }) => name === 'identity' || name === 'network');
  cloud = await startTestCloud(needed);
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
});
afterAll(() => cloud.stop());

async function list(path: string, token: string): Promise<Shown[]> {
  const { body } = await cloud.client.get(`/networking/v2.0/${path}`, { token });
  return Object.values(body as Record<string, Shown[]>)[0] ?? [];
}

it('the VIP network is created once, is visible to every project, and is no default for servers', async () => {
  const client = (service: string, path: string): ServiceClient =>
    new ServiceClient({ service, baseUrl: `${cloud.url}/${path}` });
  const clients = {
    identity: client('identity', 'identity'),
    network: client('network', 'networking'),
  };
  const seed = () => seedVipNetwork(clients, asBearer(admin), '127.90.0.0/16');
  expect([await seed(), await seed()]).toEqual(Array(2).fill('subnet vips, 127.90.0.0/16'));
  for (const one of Object.values(clients)) await one.close();
  const found = await list('subnets?name=vips', demo);
  expect(found).toMatchObject([
    { cidr: '127.90.0.0/16', enable_dhcp: false, gateway_ip: null, ip_version: 4 },
  ]);
  const networkId = found[0]?.network_id;
  for (const token of [admin, demo])
    expect(await list('networks?shared=true', token)).not.toContainEqual(
      expect.objectContaining({ id: networkId }),
    );
});

it.each([
  ["user, guests have their addresses on QEMU's user-mode network (no OVN: not root)", true],
  ['simulated, no packets are carried (the settings ask for it)', true],
  ['OVN 23.03.1 with Open vSwitch 3.1.0 in userspace', false],
  [undefined, false],
])('the network is needed with the data plane %j: %j', (reason, isNeeded) => {
  expect(hasNoSwitch(reason)).toBe(isNeeded);
});
