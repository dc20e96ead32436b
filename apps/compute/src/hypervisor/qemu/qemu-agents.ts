import type { AgentsPort } from '../ports/agents.port.js';
import { HypervisorError } from '../hypervisor-error.js';
import { GuestAgent } from './guest-agent.js';
import type { GuestRooms } from './guest-rooms.js';

export class QemuAgents implements AgentsPort {
  constructor(private readonly rooms: GuestRooms) {}

  async setPassword(guestId: string, user: string, password: string): Promise<void> {
    const doing = 'The password could not be changed';
    await this.rooms.inTurn(guestId, doing, async (machine, folder) => {
      // The agent of one that stands still would do it once it goes on, and nobody would know.
      if ((await machine.state()) !== 'running')
        throw new HypervisorError('not-ready', 'The server does not run.');
      await GuestAgent.with(folder, (agent) => agent.setPassword(user, password));
    });
  }
}
