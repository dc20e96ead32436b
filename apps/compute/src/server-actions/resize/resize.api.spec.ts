import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { setMemory } from '../../hosts/hosts.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer({ flavorRef: '42' });
});

const act = (name: string, body: unknown = null, token = compute.token): Promise<TestResponse> =>
  compute.act(id, { [name]: body }, { token });

async function done(name: string, body: unknown = null, status = 202): Promise<void> {
  const response = await compute.done(id, { [name]: body });
  expect([response.status, response.text]).toEqual([status, '']);
}

const resize = (flavorRef: string): Promise<void> => done('resize', { flavorRef });

/** Claimed on the host. */
async function taken(): Promise<unknown> {
  const rows: unknown[] = await compute.app.dataSource.query(
    'SELECT vcpus::int, memory_mb::int, disk_gb::int FROM host_usage',
  );
  return rows[0];
}

const guest = () => compute.hypervisor.world.guest(id);
const GIB = 1024 ** 3;

describe('a resize', () => {
  it('gives the guest its new flavor, and keeps room for the old one', async () => {
    await resize('2');
    expect(await compute.show(id)).toMatchObject({
      status: 'VERIFY_RESIZE',
      'OS-EXT-STS:vm_state': 'resized',
      'OS-EXT-STS:task_state': null,
      'OS-EXT-STS:power_state': 1,
      flavor: { id: '2' },
    });
    expect(guest()).toMatchObject({ state: 'running', startedWith: { memoryMb: 2048 } });
    expect(guest().disk?.bytes).toBe(20 * GIB);
    expect(await taken()).toEqual({ vcpus: 2, memory_mb: 128 + 2048, disk_gb: 21 });
  });

  it('is confirmed: the former size is released', async () => {
    await resize('2');
    await done('confirmResize', null, 204);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '2' } });
    expect(guest().keptDisk).toBeUndefined();
    expect(await taken()).toEqual({ vcpus: 1, memory_mb: 2048, disk_gb: 20 });
  });

  it('is reverted: the server has its former size and disk', async () => {
    await resize('2');
    await done('revertResize');
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '42' } });
    expect(guest()).toMatchObject({ state: 'running', startedWith: { memoryMb: 128 } });
    expect(guest().disk?.bytes).toBe(GIB);
    expect(await taken()).toEqual({ vcpus: 1, memory_mb: 128, disk_gb: 1 });
  });

  it.each([
    ['confirmResize', 204],
    ['revertResize', 202],
  ])('leaves a server off that was off: %s', async (end, status) => {
    await done('os-stop');
    await resize('2');
    expect(await compute.show(id)).toMatchObject({
      status: 'VERIFY_RESIZE',
      'OS-EXT-STS:power_state': 4,
    });
    await done(end, null, status);
    expect(await compute.show(id)).toMatchObject({ status: 'SHUTOFF' });
    expect(guest()).toMatchObject({ state: 'absent', starts: 1 });
  });

  it('shows its task', async () => {
    const hold = compute.hypervisor.hold('keepDisk');
    await act('resize', { flavorRef: '2' });
    await hold.reached;
    expect(await compute.show(id)).toMatchObject({ status: 'RESIZE' });
    hold.release();
    await compute.settle();
    const back = compute.hypervisor.hold('restoreDisk');
    await act('revertResize');
    await back.reached;
    expect(await compute.show(id)).toMatchObject({
      status: 'REVERT_RESIZE',
      'OS-EXT-STS:task_state': 'resize_reverting',
    });
    back.release();
    await compute.settle();
  });

  it('changes the disk config on request', async () => {
    const shown = async () => (await compute.show(id))['OS-DCF:diskConfig'];
    expect(await shown()).toBe('MANUAL');
    await done('resize', { flavorRef: '2', 'OS-DCF:diskConfig': 'AUTO' });
    expect(await shown()).toBe('AUTO');
    await done('confirmResize', null, 204);
    await resize('3');
    expect(await shown()).toBe('AUTO');
  });

  it('goes with its server', async () => {
    await resize('2');
    await compute.deleteServers();
    expect(await taken()).toEqual({ vcpus: 0, memory_mb: 0, disk_gb: 0 });
  });
});

describe('a resize of a server with ephemeral and swap disks', () => {
  let made = 0;

  /** A flavor with these disks, and a root disk of 1 GB. */
  async function flavorWith(ephemeral: number, swap: number): Promise<string> {
    const sizes = { ram: 128, vcpus: 1, disk: 1, 'OS-FLV-EXT-DATA:ephemeral': ephemeral, swap };
    const { body } = await compute.client.post('/flavors', {
      token: await compute.tokens.issue(['admin']),
      body: { flavor: { name: `local-${(made += 1)}`, ...sizes } },
    });
    return (body as { flavor: { id: string } }).flavor.id;
  }

  const startedWith = () => guest().startedWith?.localDisks;

  beforeEach(async () => {
    id = await compute.buildServer({ flavorRef: await flavorWith(1, 64) });
  });

  const former = [
    { sizeMb: 1024, format: 'ext4', label: 'ephemeral0' },
    { sizeMb: 64, format: 'swap' },
  ];
  const later = [
    { sizeMb: 2048, format: 'ext4', label: 'ephemeral0', at: 0 },
    { sizeMb: 32, format: 'swap', at: 3 },
  ];

  it('gives it larger ones, and new swap beside the old', async () => {
    await resize(await flavorWith(2, 32));
    expect(await compute.show(id)).toMatchObject({ status: 'VERIFY_RESIZE' });
    expect(startedWith()).toEqual(later);
    expect(guest().localDisks).toMatchObject({ 0: { sizeMb: 2048 }, 1: { sizeMb: 64 } });
    await done('confirmResize', null, 204);
    expect(guest().localDisks).toEqual({
      0: { sizeMb: 2048, format: 'ext4' },
      3: { sizeMb: 32, format: 'swap' },
    });
    await done('reboot', { type: 'HARD' });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(startedWith()).toEqual(later);
  });

  it('is reverted: it has the old ones again', async () => {
    await resize(await flavorWith(2, 0));
    expect(startedWith()).toEqual(later.slice(0, 1));
    await done('revertResize');
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(startedWith()).toEqual(former);
    expect(guest().localDisks).toEqual({
      0: { sizeMb: 1024, format: 'ext4' },
      1: { sizeMb: 64, format: 'swap' },
    });
  });

  it('that fails leaves it the old ones', async () => {
    compute.hypervisor.failNext('ensureRunning', new HypervisorError('capacity', 'No room.'));
    await resize(await flavorWith(2, 32));
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(startedWith()).toEqual(former);
    expect(Object.keys(guest().localDisks ?? {})).toEqual(['0', '1']);
  });

  it('gives a server disks that had none', async () => {
    id = await compute.buildServer({ flavorRef: '42' });
    await resize(await flavorWith(1, 16));
    expect(startedWith()).toEqual([
      { sizeMb: 1024, format: 'ext4', label: 'ephemeral0', at: 0 },
      { sizeMb: 16, format: 'swap', at: 1 },
    ]);
  });

  it('is refused to smaller ephemeral disks', async () => {
    const { status, body } = await act('resize', { flavorRef: await flavorWith(0, 64) });
    const message =
      'Server disk was unable to be resized because: Unable to resize disk down, from 1 GB to 0 GB of ephemeral disks.';
    expect([status, body]).toEqual([400, { badRequest: { code: 400, message } }]);
  });
});

describe('a resize that fails', () => {
  it.each(['keepDisk', 'growDisk', 'powerOff'] as const)(
    'at %s leaves the server what it was, running',
    async (method) => {
      compute.hypervisor.failNext(method, new HypervisorError('capacity', 'No room.'));
      await resize('2');
      expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '42' } });
      expect(guest()).toMatchObject({ state: 'running', startedWith: { memoryMb: 128 } });
      expect(guest().disk?.bytes).toBe(GIB);
      expect(await taken()).toEqual({ vcpus: 1, memory_mb: 128, disk_gb: 1 });
    },
  );

  it('for want of room does not touch the guest', async () => {
    await setMemory(compute, 1024);
    await act('resize', { flavorRef: '3' });
    await compute.settle();
    await setMemory(compute, 262_144);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '42' } });
    expect(guest()).toMatchObject({ state: 'running', starts: 1 });
  });

  it('and cannot be undone is an error', async () => {
    compute.hypervisor.failNext('growDisk', new HypervisorError('capacity', 'No room.'));
    compute.hypervisor.failNext('restoreDisk', new HypervisorError('not-ready', 'It is gone.'));
    await resize('2');
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: 'It is gone.' },
    });
    await compute.deleteServers();
    expect(await taken()).toEqual({ vcpus: 0, memory_mb: 0, disk_gb: 0 });
  });

  it('leaves no disk that a later one would restore', async () => {
    await resize('2');
    compute.hypervisor.failNext('restoreDisk', new HypervisorError('not-ready', 'It is gone.'));
    await done('revertResize');
    expect(await compute.show(id)).toMatchObject({ status: 'ERROR' });
    const admin = await compute.tokens.issue(['admin']);
    expect((await act('os-resetState', { state: 'active' }, admin)).status).toBe(202);
    await done('reboot', { type: 'HARD' });
    await resize('3');
    await done('revertResize');
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '2' } });
    expect(guest().disk?.bytes).toBe(20 * GIB);
  });
});

describe('a resize is refused', () => {
  it.each([
    ['to the same flavor', '42', 'When resizing, instances must change flavor!'],
    ['to none', 'nothing', 'Flavor nothing could not be found.'],
  ])('%s', async (_, flavorRef, message) => {
    const response = await act('resize', { flavorRef });
    expect([response.status, response.body]).toEqual([400, { badRequest: { code: 400, message } }]);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('to a smaller disk', async () => {
    id = await compute.buildServer({ flavorRef: '2' });
    const response = await act('resize', { flavorRef: '42' });
    expect([response.status, response.body]).toEqual([
      400,
      {
        badRequest: {
          code: 400,
          message:
            'Server disk was unable to be resized because: Unable to resize disk down, from 20 GB to 1 GB.',
        },
      },
    ]);
  });

  it('beyond the quota, and leaves nothing behind', async () => {
    for (let count = 0; count < 2; count += 1) await compute.buildServer({ flavorRef: '5' });
    const response = await act('resize', { flavorRef: '5' });
    expect([response.status, response.text]).toEqual([403, expect.stringContaining('cores')]);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', flavor: { id: '42' } });
    expect(await compute.app.dataSource.query('SELECT FROM server_resizes')).toEqual([]);
  });

  it.each(['confirmResize', 'revertResize'])(
    'when it ends without having begun: %s',
    async (name) => {
      const response = await act(name);
      expect([response.status, response.body]).toEqual([
        409,
        {
          conflictingRequest: {
            code: 409,
            message: `Cannot '${name}' instance ${id} while it is in vm_state active`,
          },
        },
      ]);
    },
  );

  it.each([{}, { flavorRef: '' }, { flavorRef: 2 }, { flavorRef: '2', vcpus: 3 }, null])(
    'where its body is wrong: %p',
    async (body) => {
      expect((await act('resize', body)).status).toBe(400);
    },
  );
});

describe('a quota', () => {
  it('counts the larger of both sizes, until the resize is confirmed', async () => {
    const used = async (): Promise<unknown> => {
      const { body } = await compute.client.get('/limits', { token: compute.token });
      const { absolute } = (body as { limits: { absolute: Record<string, number> } }).limits;
      return [absolute['totalCoresUsed'], absolute['totalRAMUsed']];
    };
    id = await compute.buildServer({ flavorRef: '3' });
    const before = await used();
    await resize('4');
    await done('revertResize');
    expect(await used()).toEqual(before);
    await resize('4');
    expect(await used()).toEqual([4 + 1, 8192 + 128]);
    await done('confirmResize', null, 204);
    expect(await used()).toEqual([4 + 1, 8192 + 128]);
  });
});

it('is confirmed by itself after its time', async () => {
  const other = await startCompute({ config: { resizeConfirmSeconds: 1 } });
  try {
    const server = await other.buildServer({ flavorRef: '42' });
    const path = `/servers/${server}/action`;
    await other.client.post(path, { token: other.token, body: { resize: { flavorRef: '2' } } });
    await eventually('it is confirmed', async () => {
      const { status, flavor } = await other.show(server);
      return status === 'ACTIVE' && (flavor as { id: string }).id === '2';
    });
    expect(other.hypervisor.world.guest(server).keptDisk).toBeUndefined();
  } finally {
    await other.stop();
  }
});
