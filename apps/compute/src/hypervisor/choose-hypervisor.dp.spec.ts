import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { chooseHypervisor } from './choose-hypervisor.js';

it('chooses QEMU if it is installed, and logs accelerator, reason and user', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cumulet-choice-'));
  try {
    const { driver, reason } = await chooseHypervisor({
      driver: 'auto',
      dataDir,
      consoleBytes: 1024,
      accelerator: 'tcg',
      searchPath: process.env['PATH'] ?? '',
    });
    expect(await driver.host.describe()).toMatchObject({ type: 'QEMU', accelerator: 'tcg' });
    expect(reason).toMatch(/^QEMU \d+\.\d+\.\d+ with TCG \(the settings ask for TCG\)/);
    const whom = process.getuid?.() === 0 ? 'each guest runs as a user of its own' : 'as this user';
    expect(reason).toContain(whom);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
