/** The QEMU driver on real machines. Fails, and does not skip, where QEMU is not installed. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { imageName, type BootImage } from './boot-image.js';
import {
  cache,
  expectFailure,
  expectGreetings,
  guestFrom,
  imageOf,
  PATIENCE_MS,
} from './contract/harness.fixture.js';
import { QEMU_CONSOLE_BYTES, QemuWorld } from './contract/qemu-world.fixture.js';
import { tinyGuest, tinyKernel } from './contract/tiny-guest.fixture.js';
import { hypervisorContract } from './hypervisor-contract.fixture.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { guestFolder } from './qemu/guest-folder.js';
import { lockGuest } from './qemu/machine/start-qemu.js';
import { QemuHypervisor } from './qemu/qemu-hypervisor.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
hypervisorContract('QemuHypervisor', () => QemuWorld.open(process.env['PATH']));

describe('QemuHypervisor', () => {
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

  async function booted(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = guestFrom(image, spec);
    made.push(guest.id);
    await world.driver.disks.ensureDisk(guest);
    await world.driver.machines.ensureRunning(guest);
    return guest;
  }

  /** The images of a guest that boots a kernel of its own, over a disk without a boot sector. */
  async function imagesWithKernel(): Promise<Pick<GuestSpec, 'image' | 'kernel' | 'ramdisk'>> {
    const { driver, greeting } = world;
    const blank = Buffer.alloc(1024);
    const kernel = tinyKernel(`${greeting}\r\n`);
    return {
      image: await cache(driver, imageOf(blank, { diskFormat: 'ami' })),
      kernel: await cache(driver, imageOf(kernel, { diskFormat: 'aki' })),
      ramdisk: await cache(driver, imageOf(blank, { diskFormat: 'ari' })),
    };
  }

  it('starts one process for many callers', async () => {
    const guest = guestFrom(image);
    made.push(guest.id);
    await world.driver.disks.ensureDisk(guest);
    const drivers = [world.driver, await world.reopen(), await world.reopen()];
    await Promise.all(drivers.map((driver) => driver.machines.ensureRunning(guest)));
    expect(world.commandLinesOf(guest.id)).toHaveLength(1);
  });

  it('starts a guest whose ending machine still has the lock', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-flock-'));
    const { programs } = world.options;
    const [flock, answers] = [join(folder, 'flock'), join(folder, 'answers')];
    const script = `#!/bin/sh\n${programs.flock} "$@"; code=$?; echo $code >> ${answers}; exit $code\n`;
    await writeFile(flock, script, { mode: 0o755 });
    const guest = guestFrom(image);
    made.push(guest.id);
    await world.driver.disks.ensureDisk(guest);
    const lock = await lockGuest(programs.flock, guestFolder(world.guestsFolder, guest.id));
    try {
      const options = { ...world.options, programs: { ...programs, flock } };
      const starting = (await QemuHypervisor.open(options)).machines.ensureRunning(guest);
      const refused = waitUntil(
        async () => (await readFile(answers, 'utf8').catch(() => '')).startsWith('1\n'),
        PATIENCE_MS,
      );
      expect(await Promise.race([refused, starting.then(() => 'started')])).toBe(true);
      await lock.close();
      await starting;
      expect(await world.driver.machines.state(guest.id)).toBe('running');
    } finally {
      await lock.close();
      await rm(folder, { recursive: true });
    }
  });

  it('runs a guest in a session of its own, which no signal to compute reaches', async () => {
    const guest = await booted();
    const pid = world.processOf(guest.id);
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    const [, , processGroup, session] = fields;
    expect([processGroup, session]).toEqual([`${pid}`, `${pid}`]);
  });

  it("keeps users' texts and its own secrets off the command line and environment", async () => {
    const userData = Buffer.from('user data').toString('base64');
    const metaData = { hostname: 'chosen,by=user', name: 'a name' };
    const guest = await booted({ configDrive: { metaData, userData } });
    const [line = ''] = world.commandLinesOf(guest.id);
    expect(line).not.toMatch(/chosen|a name|user data|dXNlci/);
    const pid = world.processOf(guest.id);
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .map((variable) => variable.split('=')[0])
      .filter((name) => name !== '');
    expect(names.sort()).toEqual(['LC_ALL', 'PATH']);
  });

  it('does not mistake another program for its guest when the kernel has reused the pid', async () => {
    const guest = await booted();
    await world.driver.machines.powerOff(guest.id);
    const foreign = spawn('sleep', ['600']);
    try {
      await writeFile(world.file(guest.id, 'qemu.pid'), `${foreign.pid}\n`);
      expect(await world.driver.machines.state(guest.id)).toBe('absent');
      await world.driver.machines.powerOff(guest.id);
      await world.driver.machines.ensureRunning(guest);
      await writeFile(world.file(guest.id, 'qemu.pid'), `${foreign.pid}\n`);
      await world.driver.guests.destroy(guest.id);
      expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
      expect(world.commandLinesOf(guest.id)).toEqual([]);
    } finally {
      foreign.kill('SIGKILL');
      await once(foreign, 'exit');
    }
  });

  it('finds a machine whose pid file is lost', async () => {
    const guest = await booted();
    await rm(world.file(guest.id, 'qemu.pid'));
    expect(await world.driver.machines.state(guest.id)).toBe('running');
  });

  it('lists a machine whose folder is lost, and ends it', async () => {
    const guest = await booted();
    await rm(join(world.guestsFolder, guest.id), { recursive: true });
    expect(await world.driver.guests.list()).toContain(guest.id);
    await world.driver.guests.destroy(guest.id);
    expect(await world.driver.guests.list()).not.toContain(guest.id);
  });

  it('leaves no file of a destroyed guest', async () => {
    const guest = await booted();
    await world.driver.guests.destroy(guest.id);
    expect(await readdir(world.guestsFolder)).not.toContain(guest.id);
    const leftovers = (await readdir(world.imagesFolder)).filter((name) => name.startsWith('.'));
    expect(leftovers).toEqual([]);
    expect((await readdir(join(world.imagesFolder, imageName(image)))).sort()).toEqual([
      'data',
      'image.json',
    ]);
  });

  it('bounds the console of a guest that never stops writing', async () => {
    const text = 'this guest never stops writing\r\n';
    const loud = await cache(world.driver, imageOf(tinyGuest({ text, repeats: true })));
    const guest = await booted({ image: loud });
    const kept = async (): Promise<{ size: number; mtimeMs: number }> => {
      await world.driver.consoles.consoleOutput(guest.id);
      // The file begins with the first line.
      return stat(world.file(guest.id, 'console.log')).catch(() => ({ size: 0, mtimeMs: 0 }));
    };
    // One line short of full; what comes then cuts off the oldest line.
    const full = QEMU_CONSOLE_BYTES - text.length;
    expect(await waitUntil(async () => (await kept()).size >= full, PATIENCE_MS)).toBe(true);
    const { mtimeMs } = await kept();
    const more = waitUntil(async () => (await kept()).mtimeMs > mtimeMs, PATIENCE_MS);
    expect(await more).toBe(true);
    const { size: bytes } = await kept();
    expect(bytes).toBeLessThanOrEqual(QEMU_CONSOLE_BYTES);
    expect(bytes).toBeGreaterThanOrEqual(full);
    expect((await world.driver.consoles.consoleOutput(guest.id, 3)).split('\n')[0]).toBe(
      text.trimEnd() + '\r',
    );
  });

  it('boots a kernel and ramdisk of its own, over a disk without a boot sector', async () => {
    const guest = await booted(await imagesWithKernel());
    await expectGreetings(world, guest.id, 1);
  });

  it('ends a machine that no longer answers', async () => {
    const impatient = await QemuHypervisor.open({ ...world.options, answerTimeoutMs: 300 });
    const guest = await booted();
    await expectGreetings(world, guest.id, 1);
    process.kill(world.processOf(guest.id), 'SIGSTOP');
    await expectFailure(impatient.machines.state(guest.id), 'transient', /does not answer/);
    expect(await impatient.consoles.consoleOutput(guest.id)).toContain(world.greeting);
    await impatient.machines.powerOff(guest.id);
    expect(await world.driver.machines.state(guest.id)).toBe('absent');
  });

  it('reports a lack of memory, and leaves no process', async () => {
    const start = booted({ memoryMb: 2 ** 30 });
    await expectFailure(start, 'capacity', /not enough memory/);
    expect(world.commandLinesOf(made[0] ?? '')).toEqual([]);
  });

  it('names a missing program', async () => {
    const programs = { ...world.options.programs, qemu: '/nowhere/qemu', qemuImg: '/nowhere/img' };
    const bare = await QemuHypervisor.open({ ...world.options, programs });
    const guest = guestFrom(image);
    made.push(guest.id);
    await expectFailure(bare.disks.ensureDisk(guest), 'missing-program');
    await world.driver.disks.ensureDisk(guest);
    await expectFailure(bare.machines.ensureRunning(guest), 'missing-program');
  });

  describe('with real qcow2 images', () => {
    let folder: string;
    const raw = (): string => join(folder, 'disk.raw');

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cumulet-qcow2-'));
      await writeFile(raw(), world.bootImage);
    });

    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function put(file: string): Promise<BootImage> {
      const content = await readFile(join(folder, file));
      return cache(world.driver, imageOf(content, { diskFormat: 'qcow2' }));
    }

    it('boots from a compressed one', async () => {
      const file = join(folder, 'good.qcow2');
      await run('qemu-img', ['convert', '-c', '-f', 'raw', '-O', 'qcow2', raw(), file]);
      const guest = await booted({ image: await put('good.qcow2') });
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
      await expectFailure(world.driver.disks.ensureDisk(guest), 'bad-image', /no boot sector/);
    });

    it('ignores a header that a guest writes into its raw disk', async () => {
      const info = await run('qemu-img', [
        'info',
        '--output=json',
        '-f',
        'raw',
        join(world.imagesFolder, imageName(image), 'data'),
      ]);
      expect(JSON.parse(info.stdout)).toMatchObject({ format: 'raw' });
      const guest = await booted();
      const [line = ''] = world.commandLinesOf(guest.id);
      expect(line).toContain('"backing":{"driver":"raw"');
    });
  });

  it('boots from the right data if another image had the same id before', async () => {
    const text = 'the later image is up';
    const later = imageOf(tinyGuest({ text: `${text}\r\n` }), { id: image.id });
    const guest = await booted({ image: await cache(world.driver, later) });
    await waitUntil(
      async () => (await world.driver.consoles.consoleOutput(guest.id)).includes(text),
      PATIENCE_MS,
    );
    expect(await world.driver.consoles.consoleOutput(guest.id)).not.toContain(world.greeting);
    await expectGreetings(world, (await booted()).id, 1);
  });

  describe('in a data folder of a version that knew images by their ids', () => {
    /** Makes these images as that version stored them. */
    async function makeEarlier(images: readonly (BootImage | undefined)[]): Promise<void> {
      for (const each of images) {
        if (each === undefined) continue;
        const cached = join(world.imagesFolder, imageName(each));
        await rename(cached, join(world.imagesFolder, each.id));
      }
    }

    /** A guest with a disk of that version's. */
    async function earlierGuest(
      images: Pick<GuestSpec, 'image' | 'kernel' | 'ramdisk'>,
    ): Promise<GuestSpec> {
      await makeEarlier([images.image, images.kernel, images.ramdisk]);
      const guest = guestFrom(images.image, images);
      made.push(guest.id);
      const disk = world.file(guest.id, 'disk.qcow2');
      await mkdir(join(world.guestsFolder, guest.id));
      const backing = ['-F', 'raw', '-b', `../../images/${images.image.id}/data`];
      await run('qemu-img', ['create', '-f', 'qcow2', ...backing, disk, '1M']);
      return guest;
    }

    it('starts a guest, and starts it again', async () => {
      const guest = await earlierGuest({
        image: await cache(world.driver, imageOf(world.bootImage)),
      });
      await world.driver.disks.ensureDisk(guest);
      await world.driver.machines.ensureRunning(guest);
      await expectGreetings(world, guest.id, 1);
      await world.driver.machines.powerOff(guest.id);
      await world.driver.machines.ensureRunning(guest);
      await expectGreetings(world, guest.id, 2);
    });

    it('starts a guest with a kernel and a ramdisk', async () => {
      const guest = await earlierGuest(await imagesWithKernel());
      await world.driver.machines.ensureRunning(guest);
      await expectGreetings(world, guest.id, 1);
    });

    it('starts a guest over its own image once another has the id', async () => {
      const guest = await earlierGuest({
        image: await cache(world.driver, imageOf(world.bootImage)),
      });
      await cache(world.driver, imageOf(tinyGuest({ text: 'other' }), { id: guest.image.id }));
      await world.driver.machines.ensureRunning(guest);
      await expectGreetings(world, guest.id, 1);
    });

    it('refuses to make a disk over an image known by its id alone', async () => {
      const uploaded = imageOf(world.bootImage);
      const guest = guestFrom(await cache(world.driver, uploaded));
      made.push(guest.id);
      await makeEarlier([guest.image]);
      expect(await world.driver.images.hasBaseImage(guest.image)).toBe(false);
      await expectFailure(world.driver.disks.ensureDisk(guest), 'not-ready', /not cached/);
      await cache(world.driver, uploaded);
      await world.driver.disks.ensureDisk(guest);
      const info = await run('qemu-img', ['info', world.file(guest.id, 'disk.qcow2')]);
      expect(info.stdout).toContain(`${imageName(guest.image)}/data`);
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
