/** Servers that move to another host: by `migrate`, or for lack of room for the new size. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, unknownId, type ComputeFixture } from '../../compute.fixture.js';
import { DeadHostsSweep } from '../../host-agent/dead-hosts.sweep.js';
import { addHost, setMemory } from '../../hosts/hosts.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';
import { SimulatedHypervisor } from '../../hypervisor/simulated-hypervisor.js';
import { imagesOf, sweepHosts } from './migration-sweeps.fixture.js';

let a: ComputeFixture;
let b: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  // New servers go to the host with the most memory.
  a = await startCompute({
    config: { host: 'a' },
    hypervisor: new SimulatedHypervisor({ host: { memoryMb: 400_000 } }),
  });
  b = await startCompute({ config: { host: 'b' }, beside: a });
  admin = await a.tokens.issue(['admin']);
});

afterAll(async () => {
  await b.stop();
  await a.stop();
});

beforeEach(async () => {
  await a.deleteServers();
  for (const { hypervisor } of [a, b])
    for (const guest of await hypervisor.guests.list()) await hypervisor.guests.destroy(guest);
  await a.app.dataSource.query('DELETE FROM leftover_guests');
  await a.app.dataSource.query('DELETE FROM server_migrations');
  a.images.made.clear();
  id = await a.buildServer({ flavorRef: '42', networks: [{ uuid: a.networks.add().id }] });
});

const act = (
  name: string,
  body: unknown = null,
  token = admin,
  minor = 90,
): Promise<TestResponse> => a.act(id, { [name]: body }, { token, minor });

async function done(name: string, body: unknown = null): Promise<void> {
  const { status, text } = await a.done(id, { [name]: body }, { token: admin, minor: 90 });
  expect([status, text]).toEqual([name === 'confirmResize' ? 204 : 202, '']);
}

async function shown(): Promise<Record<string, unknown>> {
  return a.show(id, admin);
}

const on = (host: string, status: string) => ({ status, 'OS-EXT-SRV-ATTR:host': host });

async function query(sql: string): Promise<unknown> {
  return a.app.dataSource.query(sql);
}

const taken = (): Promise<unknown> =>
  query('SELECT host, memory_mb::int FROM host_usage WHERE memory_mb <> 0 ORDER BY host');

const statuses = (): Promise<unknown> =>
  query('SELECT type, status, source_host, dest_host FROM server_migrations ORDER BY id');

/** The binding of its port. */
const bound = (): unknown[] =>
  [...a.networks.stored.values()]
    .filter(({ deviceId }) => deviceId === id)
    .map((port) => port.hostId);

const guestOn = ({ hypervisor }: ComputeFixture) => hypervisor.world.guests.get(id);

/** The server's images in the images service. */
const images = (): number => imagesOf(a);

const sweep = (): Promise<void> => sweepHosts(a, b);

describe('a migration', () => {
  it('carries the disk to another host, where the server waits to be confirmed', async () => {
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    await done('migrate');
    expect(await shown()).toMatchObject({
      ...on('b', 'VERIFY_RESIZE'),
      'OS-EXT-STS:power_state': 1,
      image: { id: a.images.bootable },
    });
    expect(guestOn(b)).toMatchObject({ state: 'running', disk: { bytes: 1024 ** 3 } });
    expect(guestOn(a)).toMatchObject({ state: 'absent', copies: {} });
    expect(bound()).toEqual(['b']);
    expect(await taken()).toEqual([
      { host: 'a', memory_mb: 128 },
      { host: 'b', memory_mb: 128 },
    ]);
    expect(await statuses()).toEqual([
      { type: 'migration', status: 'finished', source_host: 'a', dest_host: 'b' },
    ]);
  });

  it('is confirmed: its former host removes the guest', async () => {
    await done('migrate');
    await done('confirmResize');
    expect(await shown()).toMatchObject(on('b', 'ACTIVE'));
    expect(await taken()).toEqual([{ host: 'b', memory_mb: 128 }]);
    await sweep();
    expect(guestOn(a)).toBeUndefined();
    expect(guestOn(b)).toMatchObject({ state: 'running', starts: 1 });
    expect(await statuses()).toMatchObject([{ status: 'confirmed' }]);
    await sweep();
    expect(images()).toBe(0);
    expect(await query('SELECT FROM server_resizes')).toEqual([]);
  });

  it('is reverted: the server runs where it was, from its own disk', async () => {
    await done('migrate');
    await done('revertResize');
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(b)).toBeUndefined();
    expect(guestOn(a)).toMatchObject({ state: 'running', starts: 2 });
    expect(bound()).toEqual(['a']);
    expect(await taken()).toEqual([{ host: 'a', memory_mb: 128 }]);
    expect(await statuses()).toMatchObject([{ status: 'reverted' }]);
    await sweep();
    expect(images()).toBe(0);
  });

  it('leaves a server off that was off', async () => {
    await done('os-stop');
    await done('migrate', { host: 'b' });
    expect(await shown()).toMatchObject({
      ...on('b', 'VERIFY_RESIZE'),
      'OS-EXT-STS:power_state': 4,
    });
    await done('confirmResize');
    expect(await shown()).toMatchObject(on('b', 'SHUTOFF'));
    await done('os-start');
    expect(guestOn(b)).toMatchObject({ state: 'running', starts: 1 });
  });

  it('returns to its former host only once that has removed the guest', async () => {
    await done('migrate');
    const hold = a.hypervisor.hold('destroy');
    await done('confirmResize');
    await done('migrate');
    expect(await shown()).toMatchObject(on('b', 'ACTIVE'));
    hold.release();
    await sweep();
    expect(guestOn(a)).toBeUndefined();
    await done('migrate');
    expect(await shown()).toMatchObject(on('a', 'VERIFY_RESIZE'));
    await done('confirmResize');
    expect(guestOn(a)).toMatchObject({ state: 'running', starts: 1 });
  });

  it('ends on both hosts when its server is deleted', async () => {
    await done('migrate');
    await a.deleteServers();
    expect(guestOn(b)).toBeUndefined();
    await sweep();
    expect(guestOn(a)).toBeUndefined();
    expect(await taken()).toEqual([]);
    expect(bound()).toEqual([]);
    expect(images()).toBe(0);
    expect(await statuses()).toMatchObject([{ status: 'confirmed' }]);
  });

  it.each([
    ['a', 'copyDisk'],
    ['a', 'openCopy'],
    ['b', 'putBaseImage'],
    ['b', 'ensureDisk'],
    ['b', 'ensureRunning'],
  ] as const)('that fails on %s at %s leaves the server what it was', async (host, method) => {
    const { hypervisor } = host === 'a' ? a : b;
    hypervisor.failNext(method, new HypervisorError('capacity', 'No room.'));
    await done('migrate');
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(a)).toMatchObject({ state: 'running' });
    expect(guestOn(a)?.copies ?? {}).toEqual({});
    expect(guestOn(b)).toBeUndefined();
    expect(bound()).toEqual(['a']);
    expect(await taken()).toEqual([{ host: 'a', memory_mb: 128 }]);
    expect(await statuses()).toMatchObject([{ status: 'error' }]);
    await sweep();
    expect(images()).toBe(0);
    expect(await query('SELECT FROM server_resizes')).toEqual([]);
  });

  it.each(['ensureDisk', 'copyDisk'] as const)('shows its task at %s', async (method) => {
    const { hypervisor } = method === 'copyDisk' ? a : b;
    const hold = hypervisor.hold(method);
    await act('migrate');
    await hold.reached;
    expect(await shown()).toMatchObject({
      status: 'RESIZE',
      'OS-EXT-STS:task_state': method === 'copyDisk' ? 'resize_migrating' : 'resize_finish',
    });
    expect(await statuses()).toMatchObject([
      { status: method === 'copyDisk' ? 'migrating' : 'post-migrating' },
    ]);
    hold.release();
    await a.settle();
    expect(await shown()).toMatchObject(on('b', 'VERIFY_RESIZE'));
  });

  it('is deleted while its disk is on its way, and leaves nothing', async () => {
    const hold = b.hypervisor.hold('ensureDisk');
    await act('migrate');
    await hold.reached;
    await a.client.delete(`/servers/${id}`, { token: admin });
    hold.release();
    await a.settle();
    expect(guestOn(b)).toBeUndefined();
    await sweep();
    expect(guestOn(a)).toBeUndefined();
    expect([await taken(), bound(), images()]).toEqual([[], [], 0]);
  });

  it('to a host that dies meanwhile is reverted', async () => {
    const ctx = RequestContext.system(newRequestId(), a.app.dataSource.manager);
    // No worker runs there.
    await addHost(ctx, 'dying');
    await act('migrate', { host: 'dying' });
    await eventually(
      'it is there',
      async () => (await shown())['OS-EXT-SRV-ATTR:host'] === 'dying',
    );
    await query("UPDATE hosts SET forced_down = true WHERE name = 'dying'");
    await a.app.nest.get(DeadHostsSweep).sweep(ctx);
    await eventually('it is back', async () => (await shown())['status'] === 'ACTIVE');
    await a.settle();
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(a)).toMatchObject({ state: 'running' });
    expect(await taken()).toEqual([{ host: 'a', memory_mb: 128 }]);
    expect(await query('SELECT host FROM leftover_guests')).toEqual([{ host: 'dying' }]);
  });
});

describe('a server that has moved', () => {
  beforeEach(async () => {
    await done('migrate');
    await done('confirmResize');
    await sweep();
  });

  it('is rescued from the image that it was created from', async () => {
    const { status } = await act('rescue', {});
    expect(status).toBe(200);
    await a.settle();
    expect(await shown()).toMatchObject({ status: 'RESCUE' });
    expect(guestOn(b)?.rescueDisk?.image).toMatchObject({ id: a.images.bootable });
  });

  it('is evacuated: built from that image', async () => {
    await query("UPDATE servers SET host = 'away'");
    expect((await act('evacuate', { host: 'a' })).status).toBe(200);
    await a.settle();
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(a)?.disk?.image).toMatchObject({ id: a.images.bootable });
  });
});

describe('a migration is refused', () => {
  const words = async (name: string, body: unknown, minor?: number): Promise<unknown> => {
    const response = await act(name, body, admin, minor);
    const [fault] = Object.values(response.body as Record<string, { message: string }>);
    return [response.status, fault?.message];
  };

  it('to unsuitable hosts', async () => {
    expect(await words('migrate', { host: 'nowhere' })).toEqual([
      400,
      'Compute host nowhere could not be found.',
    ]);
    expect(await words('migrate', { host: 'a' })).toEqual([
      400,
      'Cannot migrate to the host where the server exists.',
    ]);
    expect(await words('migrate', { host: 'b' }, 55)).toEqual([400, expect.any(String)]);
    expect(await words('migrate', { node: 'b' })).toEqual([400, expect.any(String)]);
  });

  it('from a host that is down', async () => {
    await query("UPDATE hosts SET forced_down = true WHERE name = 'a'");
    const refused = await words('migrate', null);
    await query("UPDATE hosts SET forced_down = false WHERE name = 'a'");
    expect(refused).toEqual([409, 'Service is unavailable at this time.']);
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(await statuses()).toEqual([]);
  });

  it('of a paused server, of an unknown one, and to its members', async () => {
    expect((await act('migrate', null, a.token)).status).toBe(403);
    await done('pause');
    expect(await words('migrate', null)).toEqual([
      409,
      `Cannot 'migrate' instance ${id} while it is in vm_state paused`,
    ]);
    id = unknownId();
    expect((await act('migrate')).status).toBe(404);
  });
});

describe('a live migration is refused', () => {
  const live = { host: null, block_migration: 'auto' };

  it.each<[string, object, number, number]>([
    ['since hosts do not share the disks of guests', {}, 90, 501],
    ['to a host that is not there', { host: 'nowhere' }, 90, 400],
    ['to its own host', { host: 'a' }, 90, 400],
    ['by force to any host', { force: true }, 30, 400],
    ['by force since 2.68', { host: 'b', force: false }, 68, 400],
    ['with auto before 2.25', { disk_over_commit: false }, 24, 400],
    ['without disk_over_commit until 2.24', { block_migration: false }, 24, 400],
    ['with it since', { disk_over_commit: false }, 25, 400],
    ['with another word', { block_migration: 'maybe' }, 90, 400],
  ])('%s', async (_, change, minor, status) => {
    const response = await act('os-migrateLive', { ...live, ...change }, admin, minor);
    expect(response.status).toBe(status);
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
  });

  it('to members, of a stopped server, of an unknown one', async () => {
    expect((await act('os-migrateLive', live, a.token)).status).toBe(403);
    await done('os-stop');
    expect((await act('os-migrateLive', live)).status).toBe(409);
    id = unknownId();
    expect((await act('os-migrateLive', live)).status).toBe(404);
  });
});

describe('a resize', () => {
  it('moves to another host if its own has no room, and returns', async () => {
    await setMemory(a, 1024);
    await done('resize', { flavorRef: '3' });
    expect(await shown()).toMatchObject({
      ...on('b', 'VERIFY_RESIZE'),
      flavor: { id: '3' },
    });
    expect(guestOn(b)).toMatchObject({
      startedWith: { memoryMb: 4096 },
      disk: { bytes: 40 * 1024 ** 3 },
    });
    await done('revertResize');
    expect(await shown()).toMatchObject({
      ...on('a', 'ACTIVE'),
      flavor: { id: '42' },
    });
    expect(guestOn(a)).toMatchObject({
      startedWith: { memoryMb: 128 },
      disk: { bytes: 1024 ** 3 },
    });
    expect(await taken()).toEqual([{ host: 'a', memory_mb: 128 }]);
  });
});
