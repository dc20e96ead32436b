/** The part of the hypervisor contract about what people read of a guest. */
import { expect, it } from '@jest/globals';
import { contractGuests } from './guests.fixture.js';
import { type HypervisorHarness } from './harness.fixture.js';

/** Registers the tests. @param harness the world, once `beforeAll` has run */
export function consoleContract(harness: () => HypervisorHarness): void {
  const { booted } = contractGuests(harness);

  it('gives the last lines of the console', async () => {
    const { driver } = harness();
    const guest = await booted();
    await driver.machines.powerOff(guest.id);
    const all = await driver.consoles.consoleOutput(guest.id);
    const last = await driver.consoles.consoleOutput(guest.id, 1);
    expect(last.length).toBeGreaterThan(0);
    expect(all.endsWith(last)).toBe(true);
    expect(last.trimEnd().split('\n')).toHaveLength(1);
    expect(await driver.consoles.consoleOutput(guest.id, 0)).toBe('');
  });
}
