/** The part of the hypervisor contract about running machines. */
import { expect, it } from '@jest/globals';
import { contractGuests } from './guests.fixture.js';
import {
  expectFailure,
  expectGreetings,
  expectState,
  isolatedNic,
  type HypervisorHarness,
} from './harness.fixture.js';

export function machineContract(harness: () => HypervisorHarness): void {
  const { unmade, withDisk, booted } = contractGuests(harness);

  it('runs a guest', async () => {
    const { driver } = harness();
    const guest = await booted({ nics: [isolatedNic()], vcpus: 2 });
    expect(await driver.machines.state(guest.id)).toBe('running');
    expect(await driver.guests.list()).toContain(guest.id);
  });

  it('leaves a guest that runs alone', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.disks.ensureDisk(guest);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 1);
  });

  it('starts one machine however many callers ask, in this process and another', async () => {
    const { driver, reopen } = harness();
    const guest = await withDisk();
    const other = await reopen();
    const callers = [driver, other, driver, other, driver, other];
    await Promise.all(callers.map((caller) => caller.machines.ensureRunning(guest)));
    await expectGreetings(harness(), guest.id, 1);
    expect(await other.machines.state(guest.id)).toBe('running');
  });

  it('does not start a guest without a disk, and makes none', async () => {
    const { driver } = harness();
    const guest = unmade();
    await expectFailure(driver.machines.ensureRunning(guest), 'not-ready', /no disk/);
    expect(await driver.guests.list()).not.toContain(guest.id);
  });

  it('powers a guest down by its power button, and starts it afresh', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    await driver.machines.powerDown(guest.id);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it('starts a guest that powered itself off once, however many processes ask', async () => {
    const { driver, reopen } = harness();
    const guest = await booted();
    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    const callers = [driver, await reopen(), await reopen()];
    await Promise.all(callers.map((caller) => caller.machines.ensureRunning(guest)));
    await expectGreetings(harness(), guest.id, 2);
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it('cuts the power, keeps disk and console, and starts again', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.powerOff(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('absent');
    expect(await driver.guests.list()).toContain(guest.id);
    expect(await driver.consoles.consoleOutput(guest.id)).toContain(harness().greeting);
    await driver.machines.powerOff(guest.id);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
  });

  it('resets a running guest', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.reset(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await expectGreetings(harness(), guest.id, 2);
  });

  it('resets a guest that powered itself off', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    await driver.machines.reset(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('running');
    await expectGreetings(harness(), guest.id, 2);
  });

  it('refuses to reset without a machine', async () => {
    const guest = await withDisk();
    await expectFailure(harness().driver.machines.reset(guest.id), 'not-ready');
  });

  it('sees that a machine was killed, and starts it again', async () => {
    const { driver, killMachine } = harness();
    const guest = await booted();
    await killMachine(guest.id);
    await expectState(driver, guest.id, 'absent');
    await driver.machines.ensureRunning(guest);
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it('pauses and resumes a guest', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.pause(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('paused');
    await driver.machines.pause(guest.id);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 1);
    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
  });

  it('suspends a guest, and resumes it in another machine', async () => {
    const { driver, reopen } = harness();
    const guest = await booted();
    await expectGreetings(harness(), guest.id, 1);
    await driver.machines.suspend(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('absent');
    await driver.machines.suspend(guest.id);
    const later = await reopen();
    await later.machines.ensureRunning(guest);
    expect(await later.machines.state(guest.id)).toBe('running');
    await driver.machines.powerDown(guest.id);
    await expectState(driver, guest.id, 'shutdown');
    await expectGreetings(harness(), guest.id, 1);
  });

  it('suspends a guest twice, and a paused one', async () => {
    const { driver } = harness();
    const guest = await booted();
    for (let time = 0; time < 2; time += 1) {
      await driver.machines.pause(guest.id);
      await driver.machines.suspend(guest.id);
      await driver.machines.ensureRunning(guest);
    }
    expect(await driver.machines.state(guest.id)).toBe('running');
    await expectGreetings(harness(), guest.id, 1);
  });

  it('starts a suspended guest afresh after its power was cut', async () => {
    const { driver } = harness();
    const guest = await booted();
    await expectGreetings(harness(), guest.id, 1);
    await driver.machines.suspend(guest.id);
    await driver.machines.powerOff(guest.id);
    await driver.machines.ensureRunning(guest);
    await expectGreetings(harness(), guest.id, 2);
  });

  it('neither pauses, suspends nor interrupts a guest that does not run', async () => {
    const { machines } = harness().driver;
    const guest = await withDisk();
    await expectFailure(machines.pause(guest.id), 'not-ready', /does not run/);
    await expectFailure(machines.suspend(guest.id), 'not-ready', /does not run/);
    await expectFailure(machines.injectInterrupt(guest.id), 'not-ready', /does not run/);
  });

  it('interrupts a guest that runs', async () => {
    const { machines } = harness().driver;
    const guest = await booted();
    await machines.injectInterrupt(guest.id);
    expect(['running', 'crashed']).toContain(await machines.state(guest.id));
  });

  it('returns statistics of a machine, and refuses without one', async () => {
    const { driver } = harness();
    const guest = await booted({ vcpus: 2 });
    const { cpus, disks, ...rest } = await driver.machines.diagnostics(guest.id);
    expect(cpus.map(({ id }) => id)).toEqual([0, 1]);
    expect(disks.map(({ device }) => device)).toContain('vda');
    const statistics = [rest.uptimeSeconds, rest.memoryUsedKb, ...cpus.map(({ time }) => time)];
    expect(statistics.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
    await driver.machines.powerOff(guest.id);
    await expectFailure(driver.machines.diagnostics(guest.id), 'not-ready');
  });
}
