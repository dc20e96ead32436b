import { HypervisorError } from '../hypervisor-error.js';
import type { GuestNic } from '../network-card.js';
import type { NicsPort } from '../ports/nics.port.js';
import { findGuest, type SimulatedShare } from './simulated-share.js';

export class SimulatedNics implements NicsPort {
  constructor(private readonly share: SimulatedShare) {}

  async deviceUser(): Promise<undefined> {
    await this.share.faults.before('deviceUser');
  }

  async plugNic(guestId: string, nic: GuestNic): Promise<void> {
    await this.share.faults.before('plugNic');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return;
    const nics = guest.nics ?? [];
    if (nics.some(({ id }) => id === nic.id)) return;
    guest.nics = [...nics, nic];
    await this.share.world.keepGuest(guestId);
  }

  async unplugNic(guestId: string, nicId: string): Promise<void> {
    await this.share.faults.before('unplugNic');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return;
    const { nics = [] } = guest;
    if (!nics.some(({ id }) => id === nicId)) return;
    if (guest.state !== 'running')
      throw new HypervisorError('not-ready', 'The guest does not run to let go of the card.');
    guest.nics = nics.filter(({ id }) => id !== nicId);
    await this.share.world.keepGuest(guestId);
  }

  async pluggedNics(guestId: string): Promise<readonly string[]> {
    await this.share.faults.before('pluggedNics');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') return [];
    return (guest.nics ?? []).map(({ id }) => id);
  }
}
