/** The users that guests run as: where compute is root, each owns its guest's files and no more. */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '@cumulet/common/programs/own-users';
import { imageName, type BootImage } from './boot-image.js';
import {
  cache,
  expectFailure,
  expectGreetings,
  expectState,
  guestFrom,
  imageOf,
} from './contract/harness.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { findGuestUsers } from './qemu/guest-users.js';
import { QemuHypervisor } from './qemu/qemu-hypervisor.js';
import { QemuImg } from './qemu/image/qemu-img.js';

const run = promisify(execFile);

let world: QemuWorld;
let image: BootImage;
const made: string[] = [];

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, imageOf(world.bootImage));
});

afterEach(async () => {
  for (const guestId of made.splice(0)) await world.driver.guests.destroy(guestId);
});

afterAll(() => world.close());

async function withDisk(): Promise<GuestSpec> {
  const guest = guestFrom(image);
  made.push(guest.id);
  await world.driver.disks.ensureDisk(guest);
  return guest;
}

async function booted(driver = world.driver): Promise<GuestSpec> {
  const guest = await withDisk();
  await driver.machines.ensureRunning(guest);
  return guest;
}

/** `{ Uid: '0 0 0 0', Gid: '0 0 0 0', Groups: '', CapEff: '0000000000000000', … }` */
async function statusOf(guestId: string): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${world.processOf(guestId)}/status`, 'utf8');
  const lines = text.split('\n').map((line) => line.split(':'));
  return Object.fromEntries(
    lines.map(([name = '', value = '']) => [name, value.trim().replace(/\s+/g, ' ')]),
  );
}

it('runs a guest as the user that the driver says', async () => {
  const guest = await booted();
  const uid = world.options.users.of(guest.id)?.uid ?? process.getuid?.();
  expect((await statusOf(guest.id))['Uid']).toBe(`${uid} ${uid} ${uid} ${uid}`);
});

if (process.getuid?.() === 0) {
  const accountOf = (guest: GuestSpec): Account => {
    const account = world.options.users.of(guest.id);
    if (account === undefined) throw new Error('guests run as root here');
    return account;
  };

  /** Reads as a guest's QEMU would: as its user, in its folder. */
  const read = async (guest: GuestSpec, path: string): Promise<Buffer> => {
    const options = { ...accountOf(guest), cwd: join(world.guestsFolder, guest.id) };
    const { stdout } = await run('cat', ['--', path], { ...options, encoding: 'buffer' });
    return stdout;
  };

  describe('as root', () => {
    it('gives a guest none of its groups and no capability', async () => {
      const groups = process.getgroups?.() ?? [];
      process.setgroups?.([4, 27]);
      try {
        const guest = await booted();
        const { uid } = accountOf(guest);
        expect(await statusOf(guest.id)).toMatchObject({
          Gid: `${uid} ${uid} ${uid} ${uid}`,
          Groups: '',
          CapPrm: '0000000000000000',
          CapEff: '0000000000000000',
        });
      } finally {
        process.setgroups?.(groups);
      }
    });

    it('gives it its disk, config drive and socket, and no folder to change their names in', async () => {
      const guest = await booted();
      await expectGreetings(world, guest.id, 1);
      const { uid } = accountOf(guest);
      const owners: Record<string, number> = {};
      for (const name of ['disk.qcow2', 'config-drive.iso', 'monitor', 'monitor/qmp.sock']) {
        owners[name] = (await stat(world.file(guest.id, name))).uid;
      }
      expect(new Set(Object.values(owners))).toEqual(new Set([uid]));
      for (const name of ['.', 'console.log', 'qemu.pid', 'qemu.lock']) {
        expect((await stat(world.file(guest.id, name))).uid).toBe(0);
      }
      expect((await stat(world.file(guest.id, '.'))).mode & 0o777).toBe(0o711);
      expect((await stat(world.file(guest.id, 'disk.qcow2'))).mode & 0o777).toBe(0o600);
    });

    it('boots, reboots, finds, stops and removes it, and leaves no trace', async () => {
      const guest = await booted();
      await expectGreetings(world, guest.id, 1);
      await world.driver.machines.reset(guest.id);
      await expectGreetings(world, guest.id, 2);
      const later = await world.reopen();
      expect(await later.machines.state(guest.id)).toBe('running');
      await later.machines.powerOff(guest.id);
      await later.machines.ensureRunning(guest);
      await expectGreetings(world, guest.id, 3);
      await later.guests.destroy(guest.id);
      expect(await later.guests.list()).not.toContain(guest.id);
      expect(world.commandLinesOf(guest.id)).toEqual([]);
      await expect(stat(join(world.guestsFolder, guest.id))).rejects.toThrow('ENOENT');
    });

    it('lets it read neither the secrets of the cloud, nor another guest, nor other images', async () => {
      const [guest, other] = [await booted(), await booted()];
      await expectGreetings(world, guest.id, 1);
      const secrets = join(dirname(world.options.dataDir), 'secrets.json');
      await writeFile(secrets, '{}', { mode: 0o600 });
      expect((await read(guest, 'disk.qcow2')).subarray(0, 3).toString()).toBe('QFI');
      const closed = [
        secrets,
        '../../../secrets.json',
        `../${other.id}/disk.qcow2`,
        `../../images/${imageName(image)}/data`,
        'console.log',
        `/proc/${world.processOf(other.id)}/fd/3`,
        `/proc/${process.pid}/environ`,
      ];
      for (const path of closed) {
        await expect(read(guest, path)).rejects.toThrow('Permission denied');
      }
    });

    it('lets it read its image, and not write it', async () => {
      const guest = await booted();
      const opened = `/proc/${world.processOf(guest.id)}/fd/3`;
      expect(await read(guest, opened)).toEqual(Buffer.from(world.bootImage));
      const write = run('sh', ['-c', `: >> ${opened}`], accountOf(guest));
      await expect(write).rejects.toThrow('Permission denied');
    });

    it('follows no link that a guest puts in place of its monitor', async () => {
      const [guest, victim] = [await booted(), await booted()];
      const socket = world.file(guest.id, 'monitor/qmp.sock');
      await rename(socket, `${socket}.moved`);
      await symlink(world.file(victim.id, 'monitor/qmp.sock'), socket);
      const hasty = await QemuHypervisor.open({ ...world.options, answerTimeoutMs: 300 });
      await hasty.machines.powerOff(guest.id);
      expect(await world.driver.machines.state(guest.id)).toBe('absent');
      expect(await world.driver.machines.state(victim.id)).toBe('running');
    });

    it('runs all guests as the user of the settings', async () => {
      const users = await findGuestUsers('nobody');
      const guest = await booted(await QemuHypervisor.open({ ...world.options, users }));
      await expectGreetings(world, guest.id, 1);
      const { stdout } = await run('id', ['-u', 'nobody']);
      const uid = stdout.trim();
      expect((await statusOf(guest.id))['Uid']).toBe(`${uid} ${uid} ${uid} ${uid}`);
    });

    it('names a missing user of the settings', async () => {
      await expectFailure(
        findGuestUsers('no-such-user'),
        'not-ready',
        'COMPUTE_QEMU_USER cannot be no-such-user: there is no such user here.',
      );
    });

    it('reads images as a user of its own, and each as another', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cumulet-qemu-img-'));
      try {
        await chmod(folder, 0o755);
        const qemuImg = join(folder, 'qemu-img');
        const answer = `#!/bin/sh\necho "{\\"virtual-size\\": $(id -u)}"\n`;
        await writeFile(qemuImg, answer, { mode: 0o755 });
        const img = new QemuImg({ ...world.options.programs, qemuImg }, world.options.users);
        const uids: (number | undefined)[] = [];
        for (const name of ['one', 'other']) {
          const own = await mkdtemp(join(folder, name));
          await writeFile(join(own, 'data'), '');
          uids.push(await img.virtualSize(join(own, 'data'), 'qcow2'));
        }
        expect(Math.min(...uids.map(Number))).toBeGreaterThanOrEqual(0x7000_0000);
        expect(new Set(uids).size).toBe(2);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    describe('with a guest that an earlier version runs as root', () => {
      async function earlier(): Promise<GuestSpec> {
        const guest = await withDisk();
        const { qemu } = world.options.programs;
        const layer = {
          'node-name': 'disk',
          driver: 'qcow2',
          file: { driver: 'file', filename: world.file(guest.id, 'disk.qcow2') },
        };
        const args = [
          '-name',
          `guest=${guest.id}`,
          '-uuid',
          guest.id,
          '-nodefaults',
          '-display',
          'none',
          '-no-shutdown',
          '-pidfile',
          world.file(guest.id, 'qemu.pid'),
          '-qmp',
          'unix:qmp.sock,server=on,wait=off',
          '-chardev',
          'ringbuf,id=console,size=65536',
          '-serial',
          'chardev:console',
          '-blockdev',
          JSON.stringify(layer),
          '-device',
          'virtio-blk-pci,drive=disk',
        ];
        const cwd = join(world.guestsFolder, guest.id);
        spawn(qemu, args, { cwd, detached: true, stdio: 'ignore' }).unref();
        await expectState(world.driver, guest.id, 'running');
        return guest;
      }

      it('finds it, and reads its console', async () => {
        const guest = await earlier();
        expect((await statusOf(guest.id))['Uid']).toBe('0 0 0 0');
        expect(await world.driver.guests.list()).toContain(guest.id);
        await expectGreetings(world, guest.id, 1);
      });

      it('stops it, and starts it as a user of its own', async () => {
        const guest = await earlier();
        await world.driver.machines.powerOff(guest.id);
        await world.driver.machines.ensureRunning(guest);
        const { uid } = accountOf(guest);
        expect((await statusOf(guest.id))['Uid']).toBe(`${uid} ${uid} ${uid} ${uid}`);
        expect(await world.driver.machines.state(guest.id)).toBe('running');
      });

      it('removes it', async () => {
        const guest = await earlier();
        await world.driver.guests.destroy(guest.id);
        expect(world.commandLinesOf(guest.id)).toEqual([]);
        expect(await world.driver.guests.list()).not.toContain(guest.id);
      });
    });
  });
}
