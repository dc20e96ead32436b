import { describe, expect, it } from '@jest/globals';
import { cache, expectFailure, guestFrom, imageOf } from './contract/harness.fixture.js';
import { tinyGuest } from './contract/tiny-guest.fixture.js';
import { hypervisorContract } from './hypervisor-contract.fixture.js';
import { HypervisorError } from './hypervisor-error.js';
import type { GuestSpec } from './ports/guest-spec.js';
import { SimulatedHypervisor } from './simulated-hypervisor.js';

const bootImage = tinyGuest({ text: 'never run here' });

hypervisorContract('SimulatedHypervisor', () => {
  const driver = new SimulatedHypervisor();
  const { world } = driver;
  return Promise.resolve({
    driver,
    reopen: () => Promise.resolve(new SimulatedHypervisor({ world })),
    killMachine: (guestId) => {
      driver.forceState(guestId, 'absent');
      return Promise.resolve();
    },
    bootImage,
    greeting: 'contract login:',
    close: () => Promise.resolve(),
  });
});

describe('SimulatedHypervisor', () => {
  async function withGuest(
    consoleBytes = 4096,
  ): Promise<{ driver: SimulatedHypervisor; guest: GuestSpec }> {
    const driver = new SimulatedHypervisor({ consoleBytes, host: { vcpus: 4 } });
    const guest = guestFrom(await cache(driver, imageOf(bootImage)));
    await driver.disks.ensureDisk(guest);
    return { driver, guest };
  }

  it('always calls itself simulated', async () => {
    const { driver } = await withGuest();
    expect(await driver.host.describe()).toMatchObject({
      type: 'simulated',
      accelerator: 'none',
      vcpus: 4,
    });
  });

  it('fails as often as a test says, and changes nothing', async () => {
    const { driver, guest } = await withGuest();
    driver.failNext('ensureRunning', new HypervisorError('capacity', 'full'), 2);
    await expectFailure(driver.machines.ensureRunning(guest), 'capacity', 'full');
    await expectFailure(driver.machines.ensureRunning(guest), 'capacity', 'full');
    expect(await driver.machines.state(guest.id)).toBe('absent');
    await driver.machines.ensureRunning(guest);
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it('holds a call until the test releases it', async () => {
    const { driver, guest } = await withGuest();
    const hold = driver.hold('ensureRunning');
    const started = driver.machines.ensureRunning(guest);
    await hold.reached;
    expect(await driver.machines.state(guest.id)).toBe('absent');
    hold.release();
    await started;
    expect(await driver.machines.state(guest.id)).toBe('running');
  });

  it.each(['crashed', 'paused', 'shutdown'] as const)(
    'brings a guest that is %s to running',
    async (state) => {
      const { driver, guest } = await withGuest();
      await driver.machines.ensureRunning(guest);
      driver.forceState(guest.id, state);
      await driver.machines.ensureRunning(guest);
      expect(await driver.machines.state(guest.id)).toBe('running');
      expect(driver.world.guest(guest.id).starts).toBe(state === 'paused' ? 1 : 2);
    },
  );

  it('keeps the last part of the console only', async () => {
    const { driver, guest } = await withGuest(1000);
    await driver.machines.ensureRunning(guest);
    await driver.machines.reset(guest.id);
    await driver.machines.reset(guest.id);
    const text = await driver.consoles.consoleOutput(guest.id);
    expect(text).toHaveLength(1000);
    expect(text.endsWith('contract login: ')).toBe(true);
  });

  it('cannot force the state of a guest without a machine', async () => {
    const { driver, guest } = await withGuest();
    expect(() => driver.forceState(guest.id, 'running')).toThrow('has no machine');
  });
});
