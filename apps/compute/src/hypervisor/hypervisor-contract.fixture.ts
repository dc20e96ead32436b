/** The contract of hypervisor drivers as Jest tests, in a file for each part of the port. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { agentContract } from './contract/agent-contract.fixture.js';
import { consoleContract } from './contract/console-contract.fixture.js';
import { copyContract } from './contract/copy-contract.fixture.js';
import { diskContract } from './contract/disk-contract.fixture.js';
import { guestContract } from './contract/guest-contract.fixture.js';
import type { HypervisorHarness } from './contract/harness.fixture.js';
import { hostContract } from './contract/host-contract.fixture.js';
import { imageContract } from './contract/image-contract.fixture.js';
import { machineContract } from './contract/machine-contract.fixture.js';
import { nicContract } from './contract/nic-contract.fixture.js';
import type { HypervisorDriver } from './hypervisor-driver.js';

const CONTRACTS: Readonly<
  Record<keyof HypervisorDriver, (harness: () => HypervisorHarness) => void>
> = {
  host: hostContract,
  images: imageContract,
  disks: diskContract,
  copies: copyContract,
  machines: machineContract,
  consoles: consoleContract,
  agents: agentContract,
  nics: nicContract,
  guests: guestContract,
};

/** @param makeHarness a world of its own, which the suite closes, also after failures */
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

    for (const [part, contract] of Object.entries(CONTRACTS)) {
      describe(part, () => contract(harness));
    }
  });
}
