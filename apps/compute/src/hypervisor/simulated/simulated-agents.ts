import { HypervisorError } from '../hypervisor-error.js';
import type { AgentsPort } from '../ports/agents.port.js';
import { findGuest, writeConsole, type SimulatedShare } from './simulated-share.js';

/** Whoever has the channel of an agent has an agent, which says on the console what it does. */
export class SimulatedAgents implements AgentsPort {
  constructor(private readonly share: SimulatedShare) {}

  async setPassword(guestId: string, user: string, password: string): Promise<void> {
    await this.share.faults.before('setPassword');
    const guest = findGuest(this.share, guestId);
    if (guest?.state !== 'running')
      throw new HypervisorError('not-ready', 'The server does not run.');
    if (!guest.startedWith?.hardware?.guestAgent)
      throw new HypervisorError('not-ready', 'The agent in the guest does not answer.');
    const length = String(password.length);
    writeConsole(this.share, guestId, `qemu-ga: password of ${user} set, ${length} characters\r\n`);
    await this.share.world.keepGuest(guestId);
  }
}
