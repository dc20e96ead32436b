/** The part of the hypervisor contract about NICs. */
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { contractGuests } from './guests.fixture.js';
import { isolatedNic, type HypervisorHarness } from './harness.fixture.js';

export function nicContract(harness: () => HypervisorHarness): void {
  const { withDisk, booted } = contractGuests(harness);

  it('starts a guest with its NICs', async () => {
    const { driver } = harness();
    const nics = [0, 1].map((position) => isolatedNic({ position }));
    const guest = await booted({ nics });
    expect([...(await driver.nics.pluggedNics(guest.id))].sort()).toEqual(
      nics.map(({ id }) => id).sort(),
    );
  });

  it('plugs a NIC into a running guest, once', async () => {
    const { driver } = harness();
    const guest = await booted();
    const nic = isolatedNic({ position: 3 });
    for (let time = 0; time < 2; time += 1) await driver.nics.plugNic(guest.id, nic);
    expect(await driver.nics.pluggedNics(guest.id)).toEqual([nic.id]);
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it('does nothing to a guest without a machine', async () => {
    const { driver } = harness();
    const guest = await withDisk();
    await driver.nics.plugNic(guest.id, isolatedNic());
    await driver.nics.unplugNic(guest.id, randomUUID());
    expect(await driver.nics.pluggedNics(guest.id)).toEqual([]);
  });

  it('does nothing for a missing NIC', async () => {
    const { driver } = harness();
    const guest = await booted({ nics: [isolatedNic()] });
    await driver.nics.unplugNic(guest.id, randomUUID());
    expect(await driver.nics.pluggedNics(guest.id)).toHaveLength(1);
  });
}
