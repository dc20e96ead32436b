/** Guests that power off while their servers are rescued, or resized and not confirmed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import type { GuestState } from '../hypervisor/hypervisor-driver.js';
import { HostAgent } from './host-agent.js';

let compute: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterAll(() => compute.stop());
beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer({ flavorRef: '42' });
});

const done = (name: string, body: unknown = null): Promise<TestResponse> =>
  compute.done(id, { [name]: body });

/** Sets the guest's state, and has its host compare. */
async function guestIs(state: GuestState): Promise<void> {
  if (state === 'absent') await compute.hypervisor.machines.powerOff(id);
  else compute.hypervisor.forceState(id, state);
  await compute.app.nest.get(HostAgent).compare(compute.ctx);
}

/** Status, task and power state. */
async function shown(): Promise<unknown[]> {
  const server = await compute.show(id);
  return [server['status'], server['OS-EXT-STS:task_state'], server['OS-EXT-STS:power_state']];
}

async function withPower(power: number): Promise<unknown[]> {
  const path = `/servers?power_state=${power}&all_tenants=1`;
  const { body } = await compute.client.get(path, { token: admin });
  return (body as { servers: { id: string }[] }).servers.map((server) => server.id);
}

const guest = () => compute.hypervisor.world.guest(id);

describe.each([
  ['RESCUE', () => done('rescue')],
  ['VERIFY_RESIZE', () => done('resize', { flavorRef: '1' })],
])('%s', (status, begin) => {
  it.each(['shutdown', 'crashed', 'absent'] as const)(
    'stays without its guest, which is shown to be off: %s',
    async (state) => {
      await begin();
      expect(await shown()).toEqual([status, null, 1]);
      await guestIs(state);
      expect(await shown()).toEqual([status, null, 4]);
      expect([await withPower(4), await withPower(1)]).toEqual([[id], []]);
    },
  );

  it('is shown as running once its guest is back', async () => {
    await begin();
    await guestIs('shutdown');
    await guestIs('running');
    expect(await shown()).toEqual([status, null, 1]);
    expect([await withPower(4), await withPower(1)]).toEqual([[], [id]]);
  });

  it('is forgotten once the server is settled', async () => {
    await begin();
    await guestIs('absent');
    await done(status === 'RESCUE' ? 'unrescue' : 'revertResize');
    expect(await shown()).toEqual(['ACTIVE', null, 1]);
    expect(guest().state).toBe('running');
    await begin();
    expect(await shown()).toEqual([status, null, 1]);
  });
});

it.each(['shutdown', 'absent'] as const)(
  'a resize that is confirmed leaves the server off whose guest is: %s',
  async (state) => {
    await done('resize', { flavorRef: '1' });
    await guestIs(state);
    await done('confirmResize');
    expect(await shown()).toEqual(['SHUTOFF', null, 4]);
    expect(guest().state).toBe('absent');
    await done('os-start');
    expect(guest()).toMatchObject({ state: 'running', startedWith: { memoryMb: 512 } });
  },
);

it('a server that was resized while it was off is no guest that went', async () => {
  await done('os-stop');
  await done('resize', { flavorRef: '1' });
  await compute.app.nest.get(HostAgent).compare(compute.ctx);
  expect(await shown()).toEqual(['VERIFY_RESIZE', null, 4]);
  await done('revertResize');
  expect(await shown()).toEqual(['SHUTOFF', null, 4]);
});
