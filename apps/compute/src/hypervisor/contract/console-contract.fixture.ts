/** The part of the hypervisor contract about what people read of a guest, and type into it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect, it } from '@jest/globals';
import { waitUntil } from '../wait-until.js';
import { contractGuests } from './guests.fixture.js';
import { expectFailure, PATIENCE_MS, type HypervisorHarness } from './harness.fixture.js';

/** Collects a console's output. */
function readingOf(console: Duplex): () => string {
  let text = '';
  console.on('data', (part: Buffer) => (text += part.toString('latin1')));
  return () => text;
}

export function consoleContract(harness: () => HypervisorHarness): void {
  const { booted, withDisk } = contractGuests(harness);

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

  it('shows and keeps the output of the serial console', async () => {
    const { driver, greeting } = harness();
    const guest = await booted();
    const [one, two] = [
      await driver.consoles.openSerial(guest.id),
      await driver.consoles.openSerial(guest.id),
    ];
    const readings = [readingOf(one), readingOf(two)];
    await driver.machines.reset(guest.id);
    await waitUntil(
      () => Promise.resolve(readings.every((read) => read().includes(greeting))),
      PATIENCE_MS,
    );
    expect(readings.map((read) => read().includes(greeting))).toEqual([true, true]);
    one.destroy();
    two.destroy();
    const kept = async (): Promise<number> =>
      (await driver.consoles.consoleOutput(guest.id)).split(greeting).length - 1;
    await waitUntil(async () => (await kept()) === 2, PATIENCE_MS);
    expect(await kept()).toBe(2);
  });

  it('keeps output after the last console is closed', async () => {
    const { driver, greeting } = harness();
    const guest = await booted();
    const console = await driver.consoles.openSerial(guest.id);
    console.destroy();
    await once(console, 'close');
    // Reset once: a guest that is reset again before it has written never writes.
    await driver.machines.reset(guest.id);
    const kept = async (): Promise<number> =>
      (await driver.consoles.consoleOutput(guest.id)).split(greeting).length - 1;
    await waitUntil(async () => (await kept()) === 2, PATIENCE_MS);
    expect(await kept()).toBe(2);
  });

  it('ends the serial console with its machine', async () => {
    const { driver } = harness();
    const guest = await booted();
    const console = await driver.consoles.openSerial(guest.id);
    const ended = once(console.resume(), 'end');
    await driver.machines.powerOff(guest.id);
    await ended;
    await expectFailure(driver.consoles.openSerial(guest.id), 'not-ready');
  });

  it('shows the screen by the protocol of VNC', async () => {
    const { driver } = harness();
    const guest = await booted();
    const screen = await driver.consoles.openDisplay(guest.id);
    const [version] = (await once(screen, 'data')) as [Buffer];
    expect(version.toString('latin1')).toBe('RFB 003.008\n');
    screen.write('RFB 003.008\n');
    const [security] = (await once(screen, 'data')) as [Buffer];
    expect([...security]).toEqual([1, 1]);
    const ended = once(screen.resume(), 'close');
    await driver.machines.powerOff(guest.id);
    await ended;
  });

  it('has no console without a machine', async () => {
    const { driver } = harness();
    const guest = await withDisk();
    for (const id of [guest.id, randomUUID()]) {
      await expectFailure(driver.consoles.openSerial(id), 'not-ready');
      await expectFailure(driver.consoles.openDisplay(id), 'not-ready');
    }
  });
}
