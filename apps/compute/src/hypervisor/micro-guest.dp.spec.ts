/** A whole Linux guest: the `micro` image of apps/standalone, from its boot to its power button. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MICRO_BUILD_TIMEOUT_MS } from '@cumulet/testing/micro-image';
import type { BootImage } from './boot-image.js';
import { cache, expectState, guestFrom, isolatedNic } from './contract/harness.fixture.js';
import { microImage } from './contract/micro-image.fixture.js';
import { QemuWorld } from './contract/qemu-world.fixture.js';
import { waitUntil } from './wait-until.js';

const BOOT_TIMEOUT_MS = 60_000;

let world: QemuWorld;
let image: BootImage;

beforeAll(async () => {
  world = await QemuWorld.open(process.env['PATH']);
  image = await cache(world.driver, await microImage());
}, MICRO_BUILD_TIMEOUT_MS);

afterAll(() => world.close());

it(
  'boots Linux, learns its name from the config drive and obeys the power button',
  async () => {
    const { driver } = world;
    const guest = guestFrom(image, {
      memoryMb: 256,
      nics: [isolatedNic()],
      configDrive: {
        metaData: { uuid: '1c0ffee1-0000-4000-8000-000000000001', hostname: 'named-by-drive' },
        userData: Buffer.from('#!/bin/sh\necho user data ran on $(hostname)\n').toString('base64'),
      },
    });
    await driver.disks.ensureDisk(guest);
    await driver.machines.ensureRunning(guest);

    const prompt = 'named-by-drive login:';
    const lines = async (): Promise<string> => driver.consoles.consoleOutput(guest.id);
    await waitUntil(async () => (await lines()).includes(prompt), BOOT_TIMEOUT_MS, 100);
    const text = await lines();
    expect(text).toContain('Linux version');
    expect(text).toContain('cumulet: instance 1c0ffee1-0000-4000-8000-000000000001');
    expect(text).toContain('cumulet: address 10.0.2.15');
    expect(text).toContain('user data ran on named-by-drive');
    expect(text).toContain(prompt);

    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
  },
  2 * BOOT_TIMEOUT_MS,
);
