/** The part of the hypervisor contract about running guests. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BootImage } from '../boot-image.js';
import type { GuestSpec } from '../hypervisor-driver.js';
import {
  cache,
  expectFailure,
  expectGreetings,
  expectState,
  guestFrom,
  imageOf,
  type HypervisorHarness,
} from './harness.fixture.js';

/** Registers the tests. @param harness the world, once `beforeAll` has run */
export function lifecycleContract(harness: () => HypervisorHarness): void {
  let image: BootImage;
  const made: string[] = [];

  beforeAll(async () => {
    const { driver, bootImage } = harness();
    image = await cache(driver, imageOf(bootImage));
  });

  afterEach(async () => {
    for (const guestId of made.splice(0)) await harness().driver.destroy(guestId);
  });

  async function withDisk(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = guestFrom(image, spec);
    made.push(guest.id);
    await harness().driver.ensureDisk(guest);
    return guest;
  }

  async function booted(spec: Partial<GuestSpec> = {}): Promise<GuestSpec> {
    const guest = await withDisk(spec);
    await harness().driver.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 1);
    return guest;
  }

  it('runs a guest', async () => {
    const { driver } = harness();
    const guest = await booted({ nic: 'isolated', vcpus: 2 });
    expect(await driver.state(guest.id)).toBe('running');
    expect(await driver.list()).toContain(guest.id);
  });

  it('leaves a guest that runs alone', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.ensureDisk(guest);
    await driver.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 1);
  });

  it('starts one machine however many callers ask, in this process and another', async () => {
    const { driver, reopen } = harness();
    const guest = await withDisk();
    const other = await reopen();
    const callers = [driver, other, driver, other, driver, other];
    await Promise.all(callers.map((caller) => caller.ensureRunning(guest)));
    await expectGreetings(harness(), guest.id, 1);
    expect(await other.state(guest.id)).toBe('running');
  });

  it('does not start a guest without a disk, and makes none', async () => {
    const { driver } = harness();
    const guest = guestFrom(image);
    await expectFailure(driver.ensureRunning(guest), 'not-ready', /no disk/);
    expect(await driver.list()).not.toContain(guest.id);
  });

  it('refuses a guest id that is a path', async () => {
    const { driver } = harness();
    await expectFailure(driver.ensureDisk(guestFrom(image, { id: '../escaped' })), 'bug');
    await expectFailure(driver.destroy('..'), 'bug');
  });

  it('finds running guests from a driver that is opened later', async () => {
    const guest = await booted();
    const later = await harness().reopen();
    expect(await later.state(guest.id)).toBe('running');
    expect(await later.list()).toContain(guest.id);
    expect(await later.consoleOutput(guest.id)).toContain(harness().greeting);
    await later.powerOff(guest.id);
    expect(await harness().driver.state(guest.id)).toBe('absent');
  });

  it('powers a guest down by its button, and starts it afresh', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    await driver.powerDown(guest.id);
    await driver.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
    expect(await driver.state(guest.id)).toBe('running');
  });

  it('starts a guest that powered itself off once, however many processes ask', async () => {
    const { driver, reopen } = harness();
    const guest = await booted();
    await driver.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    const callers = [driver, await reopen(), await reopen()];
    await Promise.all(callers.map((caller) => caller.ensureRunning(guest)));
    await expectGreetings(harness(), guest.id, 2);
    expect(await driver.state(guest.id)).toBe('running');
  });

  it('cuts the power, keeps disk and console, and starts again', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.powerOff(guest.id);
    expect(await driver.state(guest.id)).toBe('absent');
    expect(await driver.list()).toContain(guest.id);
    expect(await driver.consoleOutput(guest.id)).toContain(harness().greeting);
    await driver.powerOff(guest.id);
    await driver.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
  });

  it('resets a running guest', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.reset(guest.id);
    expect(await driver.state(guest.id)).toBe('running');
    await expectGreetings(harness(), guest.id, 2);
  });

  it('resets a guest that powered itself off', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    await driver.reset(guest.id);
    expect(await driver.state(guest.id)).toBe('running');
    await expectGreetings(harness(), guest.id, 2);
  });

  it('has nothing to reset where there is no machine', async () => {
    const guest = await withDisk();
    await expectFailure(harness().driver.reset(guest.id), 'not-ready');
  });

  it('sees that a machine was killed, and starts it again', async () => {
    const { driver, killMachine } = harness();
    const guest = await booted();
    await killMachine(guest.id);
    await expectState(driver, guest.id, 'absent');
    await driver.ensureRunning(guest);
    expect(await driver.state(guest.id)).toBe('running');
  });

  it('gives the last lines of the console', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.powerOff(guest.id);
    const all = await driver.consoleOutput(guest.id);
    const last = await driver.consoleOutput(guest.id, 1);
    expect(last.length).toBeGreaterThan(0);
    expect(all.endsWith(last)).toBe(true);
    expect(last.trimEnd().split('\n')).toHaveLength(1);
    expect(await driver.consoleOutput(guest.id, 0)).toBe('');
  });

  it('removes a running guest whole', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.destroy(guest.id);
    expect(await driver.state(guest.id)).toBe('absent');
    expect(await driver.list()).not.toContain(guest.id);
    expect(await driver.consoleOutput(guest.id)).toBe('');
    await driver.destroy(guest.id);
    await expectFailure(driver.ensureRunning(guest), 'not-ready', /no disk/);
  });

  it('leaves nothing of a guest that is removed while another process starts it', async () => {
    const { driver, reopen } = harness();
    const other = await reopen();
    for (let round = 0; round < 5; round += 1) {
      const guest = await withDisk();
      const start = driver.ensureRunning(guest).catch(() => undefined);
      await other.destroy(guest.id);
      await start;
      expect(await driver.state(guest.id)).toBe('absent');
      expect(await driver.list()).not.toContain(guest.id);
    }
  });

  it('answers for a guest that it never heard of', async () => {
    const { driver } = harness();
    const unknown = randomUUID();
    expect(await driver.state(unknown)).toBe('absent');
    expect(await driver.consoleOutput(unknown)).toBe('');
    await driver.powerDown(unknown);
    await driver.powerOff(unknown);
    await driver.destroy(unknown);
    expect(await driver.list()).not.toContain(unknown);
  });
}
