/** Contents of disk copies, on real machines. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cache, expectGreetings, guestFrom, imageOf } from '../../contract/harness.fixture.js';
import { QemuWorld } from '../../contract/qemu-world.fixture.js';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import { waitUntil } from '../../wait-until.js';
import { guestFolder } from '../guest-folder.js';
import { withMonitor } from '../machine/guest-monitor.js';
import type { QmpConnection } from '../machine/qmp-connection.js';

const run = promisify(execFile);
const PATIENCE_MS = 60_000;

let here: QemuWorld;
let elsewhere: QemuWorld;

beforeAll(async () => {
  here = await QemuWorld.open(process.env['PATH']);
  elsewhere = await QemuWorld.open(process.env['PATH']);
});
afterAll(async () => {
  await here.close();
  await elsewhere.close();
});

async function booted(): Promise<GuestSpec> {
  const guest = guestFrom(await cache(here.driver, imageOf(here.bootImage)), {
    diskGb: 1 / 64,
  });
  await here.driver.disks.ensureDisk(guest);
  await here.driver.machines.ensureRunning(guest);
  await expectGreetings(here, guest.id, 1);
  return guest;
}

/** Writes through the disk device of the running guest. */
function writeAs(guest: GuestSpec, pattern: string): Promise<void> {
  const folder = guestFolder(here.guestsFolder, guest.id);
  const patience = { timeoutMs: PATIENCE_MS, isAlive: () => Promise.resolve(true) };
  return withMonitor(folder, patience, async (monitor) => {
    const device = await diskDevice(monitor);
    const line = `qemu-io -d ${device} "write -P ${pattern} 1M 64k"`;
    const answer = await monitor.execute('human-monitor-command', { 'command-line': line });
    // QEMU prints qemu-io's output itself; only errors come back.
    expect(answer).toBe('');
  });
}

async function diskDevice(monitor: QmpConnection): Promise<string> {
  const blocks = (await monitor.execute('query-block')) as {
    readonly qdev?: string;
    readonly inserted?: { readonly image: { readonly filename: string } };
  }[];
  const disk = blocks.find(({ inserted }) => inserted?.image.filename.includes('disk.qcow2'));
  return disk?.qdev ?? '';
}

/** Expects the pattern in a disk that is not open. */
async function expectPattern(path: string, pattern: string): Promise<void> {
  const { stdout } = await run('qemu-io', ['-r', '-U', '-c', `read -P ${pattern} 1M 64k`, path]);
  expect(stdout).toContain('read 65536/65536');
  expect(stdout).not.toContain('failed');
}

async function copied(guest: GuestSpec, copyId: string): Promise<Buffer> {
  const { copies } = here.driver;
  // A machine that was just killed may seem busy; retried, as reconcilers do.
  const copy = (): Promise<boolean> =>
    copies.copyDisk(guest, copyId).catch((error: unknown) => {
      if (error instanceof HypervisorError && error.kind === 'transient') return false;
      throw error;
    });
  expect(await waitUntil(copy, PATIENCE_MS)).toBe(true);
  return buffer((await copies.openCopy(guest.id, copyId)).data);
}

it('a copy shows the moment in which it began, whatever the guest writes later', async () => {
  const guest = await booted();
  const copyId = randomUUID();
  await writeAs(guest, '0xab');
  expect(await here.driver.copies.copyDisk(guest, copyId)).toBe(false);
  await writeAs(guest, '0xcd');
  const path = join(here.guestsFolder, `${copyId}.qcow2`);
  await writeFile(path, await copied(guest, copyId));
  await expectPattern(path, '0xab');
  await here.driver.machines.powerOff(guest.id);
  await expectPattern(here.file(guest.id, 'disk.qcow2'), '0xcd');
  await here.driver.guests.destroy(guest.id);
});

it('a copy whose machine was killed is made from the disk', async () => {
  const guest = await booted();
  const copyId = randomUUID();
  await writeAs(guest, '0xab');
  await here.driver.copies.copyDisk(guest, copyId);
  await here.killMachine(guest.id);
  const path = join(here.guestsFolder, `${copyId}.qcow2`);
  await writeFile(path, await copied(guest, copyId));
  await expectPattern(path, '0xab');
  await here.driver.guests.destroy(guest.id);
});

it('a guest that was shelved has its data again, on another host', async () => {
  const guest = await booted();
  await writeAs(guest, '0xef');
  await here.driver.machines.powerOff(guest.id);
  const image = imageOf(await copied(guest, randomUUID()), { diskFormat: 'qcow2' });
  await here.driver.guests.destroy(guest.id);
  const back = { ...guest, image: await cache(elsewhere.driver, image) };
  await elsewhere.driver.disks.ensureDisk(back);
  await elsewhere.driver.machines.ensureRunning(back);
  await expectGreetings(elsewhere, guest.id, 1);
  await elsewhere.driver.machines.powerOff(guest.id);
  await expectPattern(elsewhere.file(guest.id, 'disk.qcow2'), '0xef');
  await elsewhere.driver.guests.destroy(guest.id);
});
