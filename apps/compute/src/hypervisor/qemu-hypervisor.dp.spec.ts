/** The QEMU driver on real machines. Fails, and does not skip, where QEMU is not installed. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure, expectGreetings, guestFrom, imageOf } from './contract/harness.js';
import { QEMU_CONSOLE_BYTES, QemuWorld } from './contract/qemu-world.js';
import { tinyGuest, tinyKernel } from './contract/tiny-guest.js';
import { hypervisorContract } from './hypervisor-contract.js';
import type { GuestSpec } from './hypervisor-driver.js';
import { QemuHypervisor } from './qemu/qemu-hypervisor.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
hypervisorContract('QemuHypervisor', () => QemuWorld.open(process.env['PATH']));

describe('QemuHypervisor', () => {
  let world: QemuWorld;
  const imageId = randomUUID();
  const made: string[] = [];

  beforeAll(async () => {
    world = await QemuWorld.open(process.env['PATH']);
    await world.driver.putBaseImage(imageId, imageOf(world.bootImage));
  });

  afterEach(async () => {
    for (const guestId of made.splice(0)) await world.driver.destroy(guestId);
  });

  afterAll(() => world.close());

  async function booted(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = guestFrom(imageId, spec);
    made.push(guest.id);
    await world.driver.ensureDisk(guest);
    await world.driver.ensureRunning(guest);
    return guest;
  }

  it('starts one process for many callers', async () => {
    const guest = guestFrom(imageId);
    made.push(guest.id);
    await world.driver.ensureDisk(guest);
    const drivers = [world.driver, await world.reopen(), await world.reopen()];
    await Promise.all(drivers.map((driver) => driver.ensureRunning(guest)));
    expect(await world.commandLinesOf(guest.id)).toHaveLength(1);
  });

  it('runs a guest in a session of its own, which no signal to compute reaches', async () => {
    const guest = await booted();
    const pid = await world.processOf(guest.id);
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    const [, , processGroup, session] = fields;
    expect([processGroup, session]).toEqual([`${pid}`, `${pid}`]);
  });

  it('keeps what users wrote, and its own secrets, off the command line and environment', async () => {
    const userData = Buffer.from('user data').toString('base64');
    const metaData = { hostname: 'chosen,by=user', name: 'a name' };
    const guest = await booted({ configDrive: { metaData, userData } });
    const [line = ''] = await world.commandLinesOf(guest.id);
    expect(line).not.toMatch(/chosen|a name|user data|dXNlci/);
    const pid = await world.processOf(guest.id);
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .map((variable) => variable.split('=')[0])
      .filter((name) => name !== '');
    expect(names.sort()).toEqual(['LC_ALL', 'PATH']);
  });

  it('takes no other program for its guest when the kernel has reused the pid', async () => {
    const guest = await booted();
    await world.driver.powerOff(guest.id);
    const foreign = spawn('sleep', ['600']);
    try {
      await writeFile(world.file(guest.id, 'qemu.pid'), `${foreign.pid}\n`);
      expect(await world.driver.state(guest.id)).toBe('absent');
      await world.driver.powerOff(guest.id);
      await world.driver.ensureRunning(guest);
      await writeFile(world.file(guest.id, 'qemu.pid'), `${foreign.pid}\n`);
      await world.driver.destroy(guest.id);
      expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
      expect(await world.commandLinesOf(guest.id)).toEqual([]);
    } finally {
      foreign.kill('SIGKILL');
      await once(foreign, 'exit');
    }
  });

  it('finds a machine whose pid file is lost', async () => {
    const guest = await booted();
    await rm(world.file(guest.id, 'qemu.pid'));
    expect(await world.driver.state(guest.id)).toBe('running');
  });

  it('lists a machine whose folder is lost, and ends it', async () => {
    const guest = await booted();
    await rm(join(world.guestsFolder, guest.id), { recursive: true });
    expect(await world.driver.list()).toContain(guest.id);
    await world.driver.destroy(guest.id);
    expect(await world.driver.list()).not.toContain(guest.id);
  });

  it('leaves no file of a destroyed guest', async () => {
    const guest = await booted();
    await world.driver.destroy(guest.id);
    expect(await readdir(world.guestsFolder)).not.toContain(guest.id);
    const leftovers = (await readdir(world.imagesFolder)).filter((name) => name.startsWith('.'));
    expect(leftovers).toEqual([]);
    expect((await readdir(join(world.imagesFolder, imageId))).sort()).toEqual([
      'data',
      'image.json',
    ]);
  });

  it('bounds the console of a guest that never stops writing', async () => {
    const loudId = randomUUID();
    const text = 'this guest never stops writing\r\n';
    await world.driver.putBaseImage(loudId, imageOf(tinyGuest({ text, repeats: true })));
    const guest = await booted({ imageId: loudId });
    const size = async (): Promise<number> => (await world.driver.consoleOutput(guest.id)).length;
    let written = 0;
    await waitUntil(async () => {
      written += await size();
      return written > 4 * QEMU_CONSOLE_BYTES;
    }, 20_000);
    const { size: bytes } = await stat(world.file(guest.id, 'console.log'));
    expect(bytes).toBeLessThanOrEqual(QEMU_CONSOLE_BYTES);
    expect(bytes).toBeGreaterThan(QEMU_CONSOLE_BYTES / 2);
    expect((await world.driver.consoleOutput(guest.id, 3)).split('\n')[0]).toBe(
      text.trimEnd() + '\r',
    );
  });

  it('boots a kernel and ramdisk of its own, over a disk without a boot sector', async () => {
    const [diskId, kernelId, ramdiskId] = [randomUUID(), randomUUID(), randomUUID()];
    const { driver } = world;
    await driver.putBaseImage(diskId, imageOf(Buffer.alloc(1024), { diskFormat: 'ami' }));
    const kernel = tinyKernel(`${world.greeting}\r\n`);
    await driver.putBaseImage(kernelId, imageOf(kernel, { diskFormat: 'aki' }));
    await driver.putBaseImage(ramdiskId, imageOf(Buffer.alloc(1024), { diskFormat: 'ari' }));
    const guest = await booted({ imageId: diskId, kernelId, ramdiskId });
    await expectGreetings(world, guest.id, 1);
  });

  it('ends a machine that does not answer any more', async () => {
    const impatient = await QemuHypervisor.open({ ...world.options, answerTimeoutMs: 300 });
    const guest = await booted();
    await expectGreetings(world, guest.id, 1);
    process.kill(await world.processOf(guest.id), 'SIGSTOP');
    await expectFailure(impatient.state(guest.id), 'transient', /does not answer/);
    expect(await impatient.consoleOutput(guest.id)).toContain(world.greeting);
    await impatient.powerOff(guest.id);
    expect(await world.driver.state(guest.id)).toBe('absent');
  });

  it('says that a host lacks the memory, and leaves no process', async () => {
    const start = booted({ memoryMb: 2 ** 30 });
    await expectFailure(start, 'capacity', /not enough memory/);
    expect(await world.commandLinesOf(made[0] ?? '')).toEqual([]);
  });

  it('names a missing program', async () => {
    const programs = { ...world.options.programs, qemu: '/nowhere/qemu', qemuImg: '/nowhere/img' };
    const bare = await QemuHypervisor.open({ ...world.options, programs });
    const guest = guestFrom(imageId);
    made.push(guest.id);
    await expectFailure(bare.ensureDisk(guest), 'missing-program');
    await world.driver.ensureDisk(guest);
    await expectFailure(bare.ensureRunning(guest), 'missing-program');
  });

  describe('with real qcow2 images', () => {
    let folder: string;
    const raw = (): string => join(folder, 'disk.raw');

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cumulet-qcow2-'));
      await writeFile(raw(), world.bootImage);
    });

    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function put(file: string): Promise<string> {
      const id = randomUUID();
      const image = imageOf(await readFile(join(folder, file)), { diskFormat: 'qcow2' });
      await world.driver.putBaseImage(id, image);
      return id;
    }

    it('boots from a compressed one', async () => {
      const file = join(folder, 'good.qcow2');
      await run('qemu-img', ['convert', '-c', '-f', 'raw', '-O', 'qcow2', raw(), file]);
      const guest = await booted({ imageId: await put('good.qcow2') });
      await expectGreetings(world, guest.id, 1);
    });

    it('refuses one over a file of the host', async () => {
      const args = ['create', '-f', 'qcow2', '-F', 'raw', '-b', raw(), join(folder, 'over.qcow2')];
      await run('qemu-img', args);
      await expectFailure(put('over.qcow2'), 'bad-image', /backing file/);
    });

    it('refuses one that keeps its data in a file of the host', async () => {
      const options = `data_file=${join(folder, 'outside')},data_file_raw=on`;
      const args = ['create', '-f', 'qcow2', '-o', options, join(folder, 'out.qcow2'), '1M'];
      await run('qemu-img', args);
      await expectFailure(put('out.qcow2'), 'bad-image', /external file/);
    });

    it('refuses one without a boot sector as a disk to boot from', async () => {
      await run('qemu-img', ['create', '-f', 'qcow2', join(folder, 'blank.qcow2'), '1M']);
      const guest = guestFrom(await put('blank.qcow2'));
      await expectFailure(world.driver.ensureDisk(guest), 'bad-image', /no boot sector/);
    });

    it('believes no header that a guest writes into its raw disk', async () => {
      const id = randomUUID();
      await world.driver.putBaseImage(id, imageOf(world.bootImage));
      const info = await run('qemu-img', [
        ...['info', '--output=json', '-f', 'raw'],
        join(world.imagesFolder, id, 'data'),
      ]);
      expect(JSON.parse(info.stdout)).toMatchObject({ format: 'raw' });
      const guest = await booted({ imageId: id });
      const [line = ''] = await world.commandLinesOf(guest.id);
      expect(line).toContain('"backing":{"driver":"raw"');
    });
  });

  it('removes what a download of a dead process left behind', async () => {
    const ended = spawn('true');
    await once(ended, 'exit');
    const leftover = `.incoming-${ended.pid}-${randomUUID()}`;
    await mkdir(join(world.imagesFolder, leftover));
    await world.reopen();
    expect(await readdir(world.imagesFolder)).not.toContain(leftover);
  });
});
