/** The part of the hypervisor contract about agents in guests. */
import { it } from '@jest/globals';
import { contractGuests } from './guests.fixture.js';
import { expectFailure, type HypervisorHarness } from './harness.fixture.js';

export function agentContract(harness: () => HypervisorHarness): void {
  const { withDisk, booted } = contractGuests(harness);

  it('fails to set a password if no agent answers', async () => {
    const { agents } = harness().driver;
    const { id } = await booted();
    await expectFailure(agents.setPassword(id, 'root', 'horse'), 'not-ready');
  });

  it('fails to set the password of a guest that does not run', async () => {
    const { agents } = harness().driver;
    const { id } = await withDisk();
    await expectFailure(agents.setPassword(id, 'root', 'horse'), 'not-ready', /does not run/);
  });
}
