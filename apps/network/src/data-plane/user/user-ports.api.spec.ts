/** Ports that QEMU's user-mode network carries, as the API shows them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNetwork, type NetworkFixture, type Wire } from '../../network.fixture.js';
import { DATA_PLANE } from '../data-plane.js';
import { UserDataPlane } from './user-data-plane.js';

let folder: string;
let network: NetworkFixture;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-user-'));
  const useValue = await UserDataPlane.open(folder);
  network = await startNetwork({ overrides: [{ provide: DATA_PLANE, useValue }] });
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true });
});

async function bound(cidr: string): Promise<Wire> {
  const { network: own } = await network.networkWith(cidr);
  const port = await network.create('ports', { network_id: own.id });
  const body = { port: { 'binding:host_id': 'here', device_owner: 'compute:nova' } };
  const answer = await network.client.put(`/v2.0/ports/${port.id}`, {
    token: network.service,
    body,
  });
  expect(answer.body).toMatchObject({ port: { 'binding:vif_type': 'user' } });
  await network.settle();
  return network.show('ports', port.id, network.service);
}

it('is up once it is bound, and nothing reaches it', async () => {
  expect(await bound('10.0.0.0/24')).toMatchObject({
    status: 'ACTIVE',
    'binding:vif_type': 'user',
    'binding:vif_details': { connectivity: 'none', port_filter: false },
  });
});

it('says why it cannot be bound', async () => {
  expect(await bound('2001:db8::/64')).toMatchObject({
    status: 'ERROR',
    'binding:vif_type': 'binding_failed',
    'binding:vif_details': {
      reason: expect.stringMatching(
        /^QEMU's user-mode network cannot carry the port: 2001:db8::\S* is not an IPv4 address\.$/,
      ),
    },
  });
});

it('is unbound while it has no host', async () => {
  const { id: network_id } = await network.create('networks', {});
  const { id } = await network.create('ports', { network_id });
  expect(await network.show('ports', id, network.service)).toMatchObject({
    status: 'DOWN',
    'binding:vif_type': 'unbound',
    'binding:vif_details': {},
  });
});
