import { requireGuestId, type GuestSpec } from '../ports/guest-spec.js';
import { HypervisorError } from '../hypervisor-error.js';
import type { GuestDiagnostics } from '../ports/guest-diagnostics.js';
import type { GuestState, MachinesPort } from '../hypervisor-driver.js';
import {
  findGuest,
  findImages,
  requireSameImage,
  writeConsole,
  type SimulatedShare,
} from './simulated-share.js';
import type { SimulatedGuest } from './simulated-world.js';

const UNUSED = { readBytes: 0, readRequests: 0, writeBytes: 0, writeRequests: 0, errors: 0 };

export class SimulatedMachines implements MachinesPort {
  constructor(private readonly share: SimulatedShare) {}

  async ensureRunning(guest: GuestSpec): Promise<void> {
    await this.share.faults.before('ensureRunning');
    requireGuestId(guest.id);
    await findImages(this.share, guest);
    const known = findGuest(this.share, guest.id);
    if (known?.disk === undefined) {
      throw new HypervisorError('not-ready', 'The server has no disk on the host.');
    }
    requireSameImage(known, guest);
    if (guest.rescue !== undefined && known.rescueDisk === undefined) {
      throw new HypervisorError('not-ready', 'The server has no disk for its rescue on the host.');
    }
    if ((guest.localDisks ?? []).some(({ at }, index) => !hasLocalDisk(known, at ?? index)))
      throw new HypervisorError('not-ready', 'The server has lost a disk on the host.');
    if (known.state !== 'running' && known.state !== 'paused' && !known.suspended) {
      known.starts += 1;
      known.startedWith = guest;
      known.nics = guest.nics;
      this.boot(guest.id, known);
    }
    known.state = 'running';
    known.suspended = false;
    await this.share.world.keepGuest(guest.id);
  }

  async powerDown(guestId: string): Promise<void> {
    await this.share.faults.before('powerDown');
    const guest = findGuest(this.share, guestId);
    if (guest?.state === 'running') guest.state = 'shutdown';
    await this.share.world.keepGuest(guestId);
  }

  async pause(guestId: string): Promise<void> {
    await this.share.faults.before('pause');
    this.requireMachine(guestId, 'paused').state = 'paused';
    await this.share.world.keepGuest(guestId);
  }

  async suspend(guestId: string): Promise<void> {
    await this.share.faults.before('suspend');
    if (findGuest(this.share, guestId)?.suspended) return;
    const guest = this.requireMachine(guestId, 'suspended');
    guest.state = 'absent';
    guest.suspended = true;
    await this.share.world.keepGuest(guestId);
  }

  async injectInterrupt(guestId: string): Promise<void> {
    await this.share.faults.before('injectInterrupt');
    const guest = this.requireMachine(guestId, 'interrupted');
    guest.console += '[   60.000000] NMI received for unknown reason\r\n';
    await this.share.world.keepGuest(guestId);
  }

  async powerOff(guestId: string): Promise<void> {
    await this.share.faults.before('powerOff');
    const guest = findGuest(this.share, guestId);
    if (guest !== undefined) Object.assign(guest, { state: 'absent', suspended: false });
    this.share.terminals.end(guestId);
    await this.share.world.keepGuest(guestId);
  }

  async reset(guestId: string): Promise<void> {
    await this.share.faults.before('reset');
    const guest = findGuest(this.share, guestId);
    if (guest === undefined || guest.state === 'absent') {
      throw new HypervisorError('not-ready', 'The server has no machine that could be reset.');
    }
    this.boot(guestId, guest);
    guest.state = 'running';
    await this.share.world.keepGuest(guestId);
  }

  /** Statistics of an idle machine. */
  async diagnostics(guestId: string): Promise<GuestDiagnostics> {
    await this.share.faults.before('diagnostics');
    const guest = findGuest(this.share, guestId);
    const spec = guest?.startedWith;
    if (guest === undefined || guest.state === 'absent' || spec === undefined) {
      throw new HypervisorError('not-ready', 'The server has no machine.');
    }
    return {
      uptimeSeconds: 0,
      cpus: Array.from({ length: spec.vcpus }, (_, id) => ({ id, time: 0 })),
      memoryUsedKb: 0,
      disks: ['vda', ...(spec.localDisks ?? []).map((_, at) => `vd${'bcdefgh'.charAt(at)}`)].map(
        (device) => ({ device, ...UNUSED }),
      ),
      nics: [],
    };
  }

  async state(guestId: string): Promise<GuestState> {
    await this.share.faults.before('state');
    return findGuest(this.share, guestId)?.state ?? 'absent';
  }

  /** The guest, if its machine has not ended. */
  private requireMachine(guestId: string, what: string): SimulatedGuest {
    const guest = findGuest(this.share, guestId);
    if (guest?.state === 'running' || guest?.state === 'paused') return guest;
    throw new HypervisorError('not-ready', `The server does not run, and cannot be ${what}.`);
  }

  private boot(guestId: string, guest: SimulatedGuest): void {
    const { startedWith, disk } = guest;
    if (startedWith === undefined || disk === undefined) return;
    const start = guest.console === '' ? '' : '\r\n';
    writeConsole(this.share, guestId, start + bootText(startedWith, disk.bytes));
  }
}

/** An earlier version did not record them. */
function hasLocalDisk({ localDisks }: SimulatedGuest, at: number): boolean {
  return localDisks === undefined || Object.hasOwn(localDisks, at);
}

/** The boot output of a small Linux, which says that it is simulated. */
function bootText(guest: GuestSpec, diskBytes: number): string {
  const hostname = guest.configDrive?.metaData['hostname'];
  const name = typeof hostname === 'string' ? hostname : 'localhost';
  const lines = [
    '[    0.000000] Linux version 6.1.0-simulated (cumulet) #1 SMP PREEMPT_DYNAMIC',
    '[    0.000000] Command line: BOOT_IMAGE=vmlinuz console=tty0 console=ttyS0',
    '[    0.000000] DMI: Cumulet simulated machine, no guest really runs',
    `[    0.104210] smp: Brought up 1 node, ${guest.vcpus} CPUs`,
    `[    0.117302] Memory: ${guest.memoryMb * 1024}K available`,
    `[    1.402811] virtio_blk virtio1: [vda] ${diskBytes / 512} 512-byte logical blocks`,
    ...guest.nics.map(
      ({ macAddress }, at) =>
        `[    1.53300${at}] virtio_net virtio${at + 2} eth${at}: link up, ${macAddress}`,
    ),
    '[    2.240094] Run /init as init process',
    '',
    `${name} login: `,
  ];
  return lines.join('\r\n');
}
