import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chooseHypervisor, type HypervisorSettings } from './choose-hypervisor.js';
import { cache, expectFailure, guestFrom, imageOf } from './contract/harness.fixture.js';
import { tinyGuest } from './contract/tiny-guest.fixture.js';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cumulet-choice-'));
});

afterAll(() => rm(dataDir, { recursive: true }));

function withoutPrograms(settings: Partial<HypervisorSettings> = {}): HypervisorSettings {
  return {
    driver: 'auto',
    dataDir,
    consoleBytes: 1024,
    accelerator: 'auto',
    searchPath: '/nowhere/bin:relative/bin',
    ...settings,
  };
}

describe('chooseHypervisor', () => {
  it('falls back to the simulated driver, and names what is missing', async () => {
    const { driver, reason } = await chooseHypervisor(withoutPrograms());
    expect((await driver.host.describe()).type).toBe('simulated');
    expect(reason).toMatch(/^simulated, no guest really runs \(/);
  });

  it('does not fall back if QEMU is required', async () => {
    const choice = chooseHypervisor(withoutPrograms({ driver: 'qemu' }));
    await expectFailure(choice, 'missing-program', /The QEMU driver cannot run/);
  });

  it('uses the simulated driver if it is required', async () => {
    const { reason } = await chooseHypervisor(withoutPrograms({ driver: 'simulated' }));
    expect(reason).toContain('the settings ask for it');
  });

  it('finds the simulated guests of the previous process', async () => {
    const settings = withoutPrograms({ driver: 'simulated' });
    const { driver } = await chooseHypervisor(settings);
    const guest = guestFrom(await cache(driver, imageOf(tinyGuest({ text: 'never run here' }))));
    await driver.disks.ensureDisk(guest);
    await driver.machines.ensureRunning(guest);
    const { driver: next } = await chooseHypervisor(settings);
    expect(await next.images.hasBaseImage(guest.image)).toBe(true);
    expect(await next.machines.state(guest.id)).toBe('running');
  });

  it('names a folder that a simulated host cannot use', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    const choice = chooseHypervisor(withoutPrograms({ dataDir: file }));
    await expectFailure(choice, 'transient', /folder cannot be used \(ENOTDIR\)/);
  });
});
