/**
 * What every hypervisor driver does, as Jest tests. A driver's own spec calls this with a way to
 * create its world.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HypervisorHarness } from './contract/harness.fixture.js';
import { imageContract } from './contract/image-contract.fixture.js';
import { lifecycleContract } from './contract/lifecycle-contract.fixture.js';

/**
 * @param name of the driver, as it appears in the report
 * @param makeHarness a world of its own; the suite closes it, also after failures
 */
export function hypervisorContract(
  name: string,
  makeHarness: () => Promise<HypervisorHarness>,
): void {
  describe(`${name} as a hypervisor`, () => {
    let world: HypervisorHarness | undefined;
    const harness = (): HypervisorHarness => {
      if (world === undefined) throw new Error('the world could not be made');
      return world;
    };

    beforeAll(async () => {
      world = await makeHarness();
    });

    afterAll(() => world?.close());

    it('describes its host', async () => {
      const host = await harness().driver.describe();
      expect(host.version).toMatch(/^\d+\.\d+(\.\d+)?$/);
      expect(host.why).not.toBe('');
      expect(Math.min(host.vcpus, host.memoryMb, host.diskGb)).toBeGreaterThan(0);
    });

    describe('images and disks', () => imageContract(harness));
    describe('guests', () => lifecycleContract(harness));
  });
}
