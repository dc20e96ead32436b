/** The part of the hypervisor contract about guests as a whole. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { contractGuests } from './guests.fixture.js';
import { expectFailure, type HypervisorHarness } from './harness.fixture.js';

export function guestContract(harness: () => HypervisorHarness): void {
  const { unmade, withDisk, booted } = contractGuests(harness);

  it('finds running guests from a driver that is opened later', async () => {
    const guest = await booted();
    const later = await harness().reopen();
    expect(await later.machines.state(guest.id)).toBe('running');
    expect(await later.guests.list()).toContain(guest.id);
    expect(await later.consoles.consoleOutput(guest.id)).toContain(harness().greeting);
    await later.machines.powerOff(guest.id);
    expect(await harness().driver.machines.state(guest.id)).toBe('absent');
  });

  it('removes a running guest and its files', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.guests.destroy(guest.id);
    expect(await driver.machines.state(guest.id)).toBe('absent');
    expect(await driver.guests.list()).not.toContain(guest.id);
    expect(await driver.consoles.consoleOutput(guest.id)).toBe('');
    await driver.guests.destroy(guest.id);
    await expectFailure(driver.machines.ensureRunning(guest), 'not-ready', /no disk/);
  });

  it('leaves nothing of a guest that is removed while another process starts it', async () => {
    const { driver, reopen } = harness();
    const other = await reopen();
    for (let round = 0; round < 5; round += 1) {
      const guest = await withDisk();
      const start = driver.machines.ensureRunning(guest).catch(() => undefined);
      await other.guests.destroy(guest.id);
      await start;
      expect(await driver.machines.state(guest.id)).toBe('absent');
      expect(await driver.guests.list()).not.toContain(guest.id);
    }
  });

  it('answers for an unknown guest', async () => {
    const { driver } = harness();
    const unknown = randomUUID();
    expect(await driver.machines.state(unknown)).toBe('absent');
    expect(await driver.consoles.consoleOutput(unknown)).toBe('');
    await driver.machines.powerDown(unknown);
    await driver.machines.powerOff(unknown);
    await driver.guests.destroy(unknown);
    expect(await driver.guests.list()).not.toContain(unknown);
  });

  it('refuses a guest id that is a path', async () => {
    const { driver } = harness();
    await expectFailure(driver.disks.ensureDisk(unmade({ id: '../escaped' })), 'bug');
    await expectFailure(driver.guests.destroy('..'), 'bug');
  });
}
