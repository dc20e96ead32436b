/** What becomes of servers whose host is down. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';
import { addHost } from '../hosts/hosts.fixture.js';

let alive: ComputeFixture;
/** Preferred, until it is stopped. */
let dying: ComputeFixture | undefined;
let hypervisor: SimulatedHypervisor;

beforeAll(async () => {
  alive = await startCompute({ config: { host: 'alive' } });
});
afterAll(() => alive.stop());
beforeEach(() => {
  hypervisor = new SimulatedHypervisor({ host: { memoryMb: 1_000_000 } });
});
afterEach(async () => {
  await dying?.stop();
  dying = undefined;
  await alive.app.dataSource.query(
    "UPDATE hosts SET forced_down = false, seen_at = now() WHERE name = 'dying'",
  );
  await alive.deleteServers();
});

async function startDying(): Promise<void> {
  dying = await startCompute({ beside: alive, config: { host: 'dying' }, hypervisor });
}

/** Stops its process, and lets the time pass in which nobody hears of it. */
async function die(): Promise<void> {
  await dying?.stop();
  dying = undefined;
  await alive.app.dataSource.query(
    "UPDATE hosts SET seen_at = now() - interval '13 seconds' WHERE name = 'dying'",
  );
}

const serverOf = async (host: string): Promise<string> => {
  const id = await alive.buildServer();
  const rows: unknown = await alive.app.dataSource.query('SELECT host FROM servers');
  expect(rows).toEqual([{ host }]);
  return id;
};

const isGone = async (id: string): Promise<boolean> => {
  const { status } = await alive.client.get(`/servers/${id}`, { token: alive.token });
  return status === 404;
};

async function deleteServer(id: string): Promise<void> {
  const { status } = await alive.client.delete(`/servers/${id}`, { token: alive.token });
  expect(status).toBe(204);
  await eventually('the server is gone', () => isGone(id));
}

describe('a server of a host that is down', () => {
  it('can be deleted, and the host removes its guest once it is back', async () => {
    await startDying();
    const id = await serverOf('dying');
    await die();
    await deleteServer(id);
    expect(await hypervisor.guests.list()).toEqual([id]);
    await startDying();
    await eventually(
      'the guest is gone',
      async () => (await hypervisor.guests.list()).length === 0,
    );
  });

  it('can be deleted also where somebody has forced the host down', async () => {
    await startDying();
    const id = await serverOf('dying');
    await dying?.stop();
    dying = undefined;
    const admin = await alive.tokens.issue(['admin']);
    await alive.client.put('/os-services/force-down', {
      token: admin,
      headers: { 'OpenStack-API-Version': 'compute 2.11' },
      body: { host: 'dying', binary: 'nova-compute', forced_down: true },
    });
    await deleteServer(id);
    await startDying();
    await eventually(
      'the guest is gone',
      async () => (await hypervisor.guests.list()).length === 0,
    );
  });

  it('that was being built there is built elsewhere, and its guest removed there', async () => {
    await startDying();
    hypervisor.failNext('ensureRunning', new HypervisorError('transient', 'Not now.'), 1_000);
    const response = await alive.createServer();
    const { id } = (response.body as { server: { id: string } }).server;
    await eventually('its disk is there', async () => (await hypervisor.guests.list()).length > 0);
    await die();
    const status = async (): Promise<unknown> => (await alive.show(id))['status'];
    await eventually('it runs elsewhere', async () => (await status()) === 'ACTIVE');
    expect(await alive.hypervisor.guests.list()).toEqual([id]);
    await startDying();
    await eventually(
      'the guest is gone',
      async () => (await hypervisor.guests.list()).length === 0,
    );
    expect(await alive.hypervisor.guests.list()).toEqual([id]);
    expect(await status()).toBe('ACTIVE');
  });
});

it('work on a server of a host that went down fails, and the host goes on from there', async () => {
  await startDying();
  const id = await serverOf('dying');
  hypervisor.failNext('pause', new HypervisorError('transient', 'Not now.'), 1_000);
  const body = { pause: null };
  const { token } = alive;
  expect((await alive.client.post(`/servers/${id}/action`, { token, body })).status).toBe(202);
  await die();
  const task = async (): Promise<unknown> => (await alive.show(id))['OS-EXT-STS:task_state'];
  expect(await task()).toBe('pausing');
  await eventually('nothing is done to it', async () => (await task()) === null);
  const path = `/servers/${id}/os-instance-actions`;
  const { body: actions } = await alive.client.get(path, { token });
  expect(actions).toMatchObject({
    instanceActions: [{ action: 'pause', message: 'The host went down.' }, { action: 'create' }],
  });
  await startDying();
  await alive.settle();
  expect(await alive.show(id)).toMatchObject({ status: 'ACTIVE' });
  expect(await hypervisor.machines.state(id)).toBe('running');
});

it('new servers go to no host that is down', async () => {
  await addHost(alive.ctx, 'silent', { memoryMb: 2_000_000, silentSeconds: 13 });
  await serverOf('alive');
  await alive.app.dataSource.query("DELETE FROM hosts WHERE name = 'silent'");
});
