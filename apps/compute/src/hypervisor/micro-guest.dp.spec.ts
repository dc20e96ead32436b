/** A whole Linux guest: the `micro` image of apps/standalone, from its boot to its power button. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BootImage } from './boot-image.js';
import { cache, expectState, guestFrom, imageOf } from './contract/harness.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';

import { waitUntil } from './wait-until.js';

const SOURCE = fileURLToPath(new URL('../../../standalone/guest-image/', import.meta.url));
const BUILD_TIMEOUT_MS = 240_000;
const BOOT_TIMEOUT_MS = 60_000;

let world: QemuWorld;
let image: BootImage;

/** The image built from the sources as they are now; kept between runs. @returns its path */
async function builtMicro(): Promise<string> {
  const entries = await readdir(SOURCE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const hash = createHash('sha256');
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    hash.update(file).update(await readFile(file));
  }
  const image = join(tmpdir(), `cumulet-test-micro-${hash.digest('hex').slice(0, 16)}.qcow2`);
  const build = join(SOURCE, 'build.sh');
  await access(image).catch(() => promisify(execFile)('bash', [build, image]));
  return image;
}

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  const micro = imageOf(await readFile(await builtMicro()), { diskFormat: 'qcow2' });
  image = await cache(world.driver, micro);
}, BUILD_TIMEOUT_MS);

afterAll(() => world.close());

it(
  'boots Linux, learns its name from the config drive and obeys the power button',
  async () => {
    const { driver } = world;
    const guest = guestFrom(image, {
      memoryMb: 256,
      nic: 'isolated',
      configDrive: {
        metaData: { uuid: '1c0ffee1-0000-4000-8000-000000000001', hostname: 'named-by-drive' },
        userData: Buffer.from('#!/bin/sh\necho user data ran on $(hostname)\n').toString('base64'),
      },
    });
    await driver.ensureDisk(guest);
    await driver.ensureRunning(guest);

    const prompt = 'named-by-drive login:';
    const lines = async (): Promise<string> => driver.consoleOutput(guest.id);
    await waitUntil(async () => (await lines()).includes(prompt), BOOT_TIMEOUT_MS, 100);
    const text = await lines();
    expect(text).toContain('Linux version');
    expect(text).toContain('cumulet: instance 1c0ffee1-0000-4000-8000-000000000001');
    expect(text).toContain('cumulet: address 10.0.2.15');
    expect(text).toContain('user data ran on named-by-drive');
    expect(text).toContain(prompt);

    await driver.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
  },
  2 * BOOT_TIMEOUT_MS,
);
