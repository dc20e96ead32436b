/** The part of the hypervisor contract about the host itself. */
import { expect, it } from '@jest/globals';
import type { HypervisorHarness } from './harness.fixture.js';

export function hostContract(harness: () => HypervisorHarness): void {
  it('describes its host', async () => {
    const host = await harness().driver.host.describe();
    expect(host.version).toMatch(/^\d+\.\d+(\.\d+)?$/);
    expect(host.why).not.toBe('');
    expect(Math.min(host.vcpus, host.memoryMb, host.diskGb)).toBeGreaterThan(0);
  });
}
