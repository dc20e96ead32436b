/** Ephemeral disks and swap of servers that move to another host. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { setMemory } from '../../hosts/hosts.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';
import { SimulatedHypervisor } from '../../hypervisor/simulated-hypervisor.js';
import { imagesOf, sweepHosts } from './migration-sweeps.fixture.js';

let a: ComputeFixture;
let b: ComputeFixture;
let admin: string;
let id: string;

beforeAll(async () => {
  // New servers go to the host with the most memory.
  const hypervisor = new SimulatedHypervisor({ host: { memoryMb: 400_000 } });
  a = await startCompute({ config: { host: 'a' }, hypervisor });
  b = await startCompute({ config: { host: 'b' }, beside: a });
  admin = await a.tokens.issue(['admin']);
});
afterAll(async () => {
  await b.stop();
  await a.stop();
});

async function done(name: string, body: unknown = null): Promise<void> {
  const { status, text } = await a.done(id, { [name]: body }, { token: admin, minor: 90 });
  expect([status, text]).toEqual([name === 'confirmResize' ? 204 : 202, '']);
}

const shown = (): Promise<Record<string, unknown>> => a.show(id, admin);
const on = (host: string, status: string) => ({ status, 'OS-EXT-SRV-ATTR:host': host });
const guestOn = ({ hypervisor }: ComputeFixture) => hypervisor.world.guests.get(id);

/** The server's images in the images service. */
const images = (): number => imagesOf(a);

const sweep = (): Promise<void> => sweepHosts(a, b);

describe('a server with ephemeral and swap disks', () => {
  let flavors = 0;

  async function flavorWith(ephemeral: number, swap: number, ram = 128): Promise<string> {
    const sizes = { ram, vcpus: 1, disk: 1, 'OS-FLV-EXT-DATA:ephemeral': ephemeral, swap };
    const flavor = { name: `carried-${(flavors += 1)}`, ...sizes };
    const made = await a.client.post('/flavors', { token: admin, body: { flavor } });
    return (made.body as { flavor: { id: string } }).flavor.id;
  }

  /** Two ephemeral disks of a gigabyte, and swap. */
  async function build(name = 'with-disks'): Promise<void> {
    const blank = { source_type: 'blank', destination_type: 'local', boot_index: -1 };
    const image = { uuid: a.images.bootable, source_type: 'image', destination_type: 'local' };
    id = await a.buildServer({
      name,
      flavorRef: await flavorWith(2, 64),
      networks: [{ uuid: a.networks.add().id }],
      block_device_mapping_v2: [
        { ...image, boot_index: 0 },
        { ...blank, volume_size: 1 },
        { ...blank, volume_size: 1, guest_format: 'ext3' },
        { ...blank, volume_size: 64, guest_format: 'swap' },
      ],
    });
  }

  const former = {
    0: { sizeMb: 1024, format: 'ext4' },
    1: { sizeMb: 1024, format: 'ext3' },
    2: { sizeMb: 64, format: 'swap' },
  };
  const made = expect.any(String);

  beforeEach(async () => {
    await a.deleteServers();
    await sweep();
    a.images.made.clear();
    await build();
  });

  it('carries ephemeral disks to another host, and makes swap anew', async () => {
    await done('migrate');
    expect(await shown()).toMatchObject(on('b', 'VERIFY_RESIZE'));
    expect(guestOn(b)?.localDisks).toEqual({
      0: { ...former[0], content: made },
      1: { ...former[1], content: made },
      2: former[2],
    });
    expect(guestOn(a)).toMatchObject({ state: 'absent', copies: {} });
    await done('confirmResize');
    await sweep();
    expect([guestOn(a), images()]).toEqual([undefined, 0]);
    await done('reboot', { type: 'HARD' });
    expect(await shown()).toMatchObject(on('b', 'ACTIVE'));
  });

  it('has its own disks again after a revert', async () => {
    await done('migrate');
    await done('revertResize');
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(b)).toBeUndefined();
    expect(guestOn(a)).toMatchObject({ state: 'running', localDisks: former });
    await sweep();
    expect(images()).toBe(0);
  });

  it.each([
    ['a', 'copyDisk', 0],
    ['a', 'copyDisk', 2],
    ['a', 'openCopy', 1],
    ['b', 'putBaseImage', 1],
    ['b', 'putBaseImage', 2],
    ['b', 'ensureDisk', 0],
  ] as const)('is what it was after a failure on %s at %s, %i on', async (host, method, after) => {
    const { hypervisor } = host === 'a' ? a : b;
    hypervisor.failNext(method, new HypervisorError('capacity', 'No room.'), 1, after);
    await done('migrate');
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(a)).toMatchObject({ state: 'running', localDisks: former });
    expect(guestOn(a)?.copies ?? {}).toEqual({});
    expect(guestOn(b)).toBeUndefined();
    await sweep();
    expect(images()).toBe(0);
  });

  it('is resized to a larger flavor on another host', async () => {
    await a.deleteServers();
    const flavorRef = await flavorWith(1, 64);
    id = await a.buildServer({ flavorRef, networks: [{ uuid: a.networks.add().id }] });
    await setMemory(a, 1024);
    await done('resize', { flavorRef: await flavorWith(3, 32, 2048) });
    expect(await shown()).toMatchObject(on('b', 'VERIFY_RESIZE'));
    expect(guestOn(b)?.localDisks).toEqual({
      0: { sizeMb: 3072, format: 'ext4', content: made },
      3: { sizeMb: 32, format: 'swap' },
    });
    await done('revertResize');
    await setMemory(a, 400_000);
    expect(await shown()).toMatchObject(on('a', 'ACTIVE'));
    expect(guestOn(a)).toMatchObject({
      state: 'running',
      localDisks: { 0: { sizeMb: 1024 }, 1: { sizeMb: 64 } },
    });
  });

  it('is rebuilt with empty ones once it has moved', async () => {
    await done('migrate');
    await done('confirmResize');
    await sweep();
    await a.done(id, { rebuild: { imageRef: a.images.bootable } }, { token: admin, minor: 90 });
    expect(await shown()).toMatchObject(on('b', 'ACTIVE'));
    expect(guestOn(b)?.localDisks).toEqual(former);
  });

  it('moves under the longest name that it can have', async () => {
    await a.deleteServers();
    await build('n'.repeat(255));
    await done('migrate');
    expect(await shown()).toMatchObject(on('b', 'VERIFY_RESIZE'));
    for (const { name } of a.images.made.values()) expect(name.length).toBeLessThanOrEqual(255);
  });
});
