import { describe, expect, it } from '@jest/globals';
import { chooseHypervisor, type HypervisorSettings } from './choose-hypervisor.js';
import { expectFailure } from './contract/harness.fixture.js';

const WITHOUT_PROGRAMS: HypervisorSettings = {
  driver: 'auto',
  dataDir: '/nowhere',
  consoleBytes: 1024,
  accelerator: 'auto',
  searchPath: '/nowhere/bin:relative/bin',
};

describe('chooseHypervisor', () => {
  it('falls back to the simulated driver, and says what is missing', async () => {
    const { driver, reason } = await chooseHypervisor(WITHOUT_PROGRAMS);
    expect((await driver.describe()).type).toBe('simulated');
    expect(reason).toMatch(/^simulated, no guest really runs \(/);
  });

  it('does not fall back where QEMU is asked for', async () => {
    const choice = chooseHypervisor({ ...WITHOUT_PROGRAMS, driver: 'qemu' });
    await expectFailure(choice, 'missing-program', /The QEMU driver cannot run/);
  });

  it('takes the simulated driver where it is asked for', async () => {
    const { reason } = await chooseHypervisor({ ...WITHOUT_PROGRAMS, driver: 'simulated' });
    expect(reason).toContain('the settings ask for it');
  });
});
