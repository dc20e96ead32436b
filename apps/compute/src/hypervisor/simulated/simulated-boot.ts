import type { GuestSpec } from '../ports/guest-spec.js';

/** A small Linux guest's boot output. It says that it is simulated. */
export function bootText(guest: GuestSpec, diskBytes: number): string {
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
