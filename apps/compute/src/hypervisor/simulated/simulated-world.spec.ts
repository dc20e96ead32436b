import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cache, expectFailure, guestFrom, imageOf } from '../contract/harness.fixture.js';
import { tinyGuest } from '../contract/tiny-guest.fixture.js';
import { hypervisorContract } from '../hypervisor-contract.fixture.js';
import type { GuestSpec } from '../ports/guest-spec.js';
import { SimulatedHypervisor } from '../simulated-hypervisor.js';
import { SimulatedWorld } from './simulated-world.js';

const bootImage = tinyGuest({ text: 'never run here' });
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-simulated-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** A driver as the next process builds it, from the folder alone. */
async function opened(): Promise<SimulatedHypervisor> {
  return new SimulatedHypervisor({ world: await SimulatedWorld.open(folder) });
}

async function withRunningGuest(): Promise<[SimulatedHypervisor, GuestSpec]> {
  const driver = await opened();
  const guest = guestFrom(await cache(driver, imageOf(bootImage)));
  await driver.disks.ensureDisk(guest);
  await driver.machines.ensureRunning(guest);
  return [driver, guest];
}

hypervisorContract('SimulatedHypervisor with a folder', async () => {
  const ownFolder = await mkdtemp(join(tmpdir(), 'cumulet-simulated-'));
  const world = await SimulatedWorld.open(ownFolder);
  const driver = new SimulatedHypervisor({ world });
  return {
    driver,
    reopen: () => Promise.resolve(new SimulatedHypervisor({ world })),
    killMachine: (guestId) => {
      driver.forceState(guestId, 'absent');
      return Promise.resolve();
    },
    bootImage,
    greeting: 'contract login:',
    close: () => rm(ownFolder, { recursive: true }),
  };
});

describe('a simulated host after a restart', () => {
  it('runs the guests that ran, without another boot', async () => {
    const [before, guest] = await withRunningGuest();
    const after = await opened();
    expect(await after.machines.state(guest.id)).toBe('running');
    await after.machines.ensureRunning(guest);
    expect(await after.consoles.consoleOutput(guest.id)).toBe(
      await before.consoles.consoleOutput(guest.id),
    );
  });

  it('starts a stopped guest from its disk, and needs no download', async () => {
    const [before, guest] = await withRunningGuest();
    await before.machines.powerOff(guest.id);
    const after = await opened();
    expect(await after.machines.state(guest.id)).toBe('absent');
    expect(await after.images.hasBaseImage(guest.image)).toBe(true);
    await after.machines.ensureRunning(guest);
    expect(after.world.guest(guest.id)).toMatchObject({ state: 'running', starts: 2 });
  });

  it('resets a guest under its own name', async () => {
    const [, guest] = await withRunningGuest();
    const after = await opened();
    await after.machines.reset(guest.id);
    expect((await after.consoles.consoleOutput(guest.id)).split('contract login: ')).toHaveLength(
      3,
    );
  });

  it('knows nothing of a guest that was removed', async () => {
    const [before, guest] = await withRunningGuest();
    await before.guests.destroy(guest.id);
    const after = await opened();
    expect(await after.guests.list()).toEqual([]);
    await expectFailure(after.machines.ensureRunning(guest), 'not-ready', /no disk/);
  });

  it('removes a write that was broken off', async () => {
    const [, guest] = await withRunningGuest();
    const guests = join(folder, 'simulated', 'guests');
    await writeFile(join(guests, `${guest.id}.json.${guest.id}.tmp`), '{"sta');
    expect(await (await opened()).guests.list()).toEqual([guest.id]);
    expect(await readdir(guests)).toEqual([`${guest.id}.json`]);
  });
});

it('a failed write of a simulated host is reported, and repeated at the next call', async () => {
  const [driver, guest] = await withRunningGuest();
  const guests = join(folder, 'simulated', 'guests');
  await rm(guests, { recursive: true });
  await expectFailure(
    driver.machines.powerOff(guest.id),
    'transient',
    /could not be written \(ENOENT\)/,
  );
  await mkdir(guests);
  await driver.machines.powerOff(guest.id);
  expect((await opened()).world.guest(guest.id)).toMatchObject({ state: 'absent', starts: 1 });
});
