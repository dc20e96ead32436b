/** Passwords that the agent in a guest sets. */
import { constants, privateDecrypt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterEach(() => compute.deleteServers());
afterAll(() => compute.stop());

function buildWith(properties: Record<string, string>, body: object = {}): Promise<string> {
  return compute.buildServer({ imageRef: compute.images.add({ properties }), ...body });
}

function change(id: string, adminPass = 'battery staple'): Promise<TestResponse> {
  const body = { changePassword: { adminPass } };
  return compute.client.post(`/servers/${id}/action`, { token: compute.token, body });
}

async function lastAction(id: string): Promise<unknown> {
  const path = `/servers/${id}/os-instance-actions`;
  const { body } = await compute.client.get(path, { token: compute.token });
  return (body as { instanceActions: unknown[] }).instanceActions[0];
}

it.each([
  [{}, 'root'],
  [{ os_type: 'windows' }, 'Administrator'],
  [{ os_type: 'windows', os_admin_user: 'admin' }, 'admin'],
])('the administrator of an image with %j is %s', async (properties, user) => {
  const id = await buildWith({ hw_qemu_guest_agent: 'yes', ...properties });
  expect((await change(id)).status).toBe(202);
  expect(await compute.hypervisor.consoles.consoleOutput(id, 1)).toContain(
    `password of ${user} set`,
  );
  expect(await lastAction(id)).toMatchObject({ action: 'changePassword', message: null });
});

it('is refused if the image names no agent', async () => {
  const id = await buildWith({});
  expectError(await change(id), 409, 'conflictingRequest', 'QEMU guest agent is not enabled');
});

it('is refused if the agent does not answer', async () => {
  const id = await buildWith({ hw_qemu_guest_agent: 'yes' });
  compute.hypervisor.failNext(
    'setPassword',
    new HypervisorError('not-ready', 'The agent is away.'),
  );
  const message = `Failed to set admin password on ${id} because the agent is away`;
  expectError(await change(id), 409, 'conflictingRequest', message);
  expect(await lastAction(id)).toMatchObject({ action: 'changePassword', message });
});

it('is refused of a server that is not active', async () => {
  const id = await buildWith({ hw_qemu_guest_agent: 'yes' });
  const body = { 'os-stop': null };
  await compute.client.post(`/servers/${id}/action`, { token: compute.token, body });
  await compute.settle();
  const message = `Cannot 'changePassword' instance ${id} while it is in vm_state stopped`;
  expectError(await change(id), 409, 'conflictingRequest', message);
});

it("is shown as the server's, for the owner of its key alone", async () => {
  const { token } = compute;
  const made = await compute.client.post('/os-keypairs', {
    token,
    body: { keypair: { name: 'mine' } },
  });
  const { private_key: key } = (made.body as { keypair: { private_key: string } }).keypair;
  const id = await buildWith({ hw_qemu_guest_agent: 'yes' }, { key_name: 'mine' });
  await change(id);
  const { body } = await compute.client.get(`/servers/${id}/os-server-password`, { token });
  const shown = Buffer.from((body as { password: string }).password, 'base64');
  // RFC 8017, section 7.2.1: 0, 2, random bytes without a 0, a 0, the message.
  const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, shown);
  expect([...block.subarray(0, 2)]).toEqual([0, 2]);
  expect(block.subarray(block.indexOf(0, 2) + 1).toString()).toBe('battery staple');
});
