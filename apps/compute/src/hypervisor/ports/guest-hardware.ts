/** The hardware of a guest, beyond what its flavor's sizes say. Plain data. */
export const DISK_BUSES = ['virtio', 'scsi', 'sata', 'ide', 'usb'] as const;
export type DiskBus = (typeof DISK_BUSES)[number];

export const NIC_MODELS = ['virtio', 'e1000', 'e1000e', 'rtl8139', 'pcnet', 'vmxnet3'] as const;
export type NicModel = (typeof NIC_MODELS)[number];

export const VIDEO_MODELS = ['vga', 'cirrus', 'virtio', 'qxl', 'bochs', 'vmvga', 'none'] as const;
export type VideoModel = (typeof VIDEO_MODELS)[number];

export const WATCHDOG_ACTIONS = ['none', 'pause', 'poweroff', 'reset'] as const;
type WatchdogAction = (typeof WATCHDOG_ACTIONS)[number];

export interface GuestHardware {
  readonly diskBus: DiskBus;
  /** Of the config drive as a CD-ROM; without, it is a disk at virtio. */
  readonly cdromBus?: 'scsi' | 'sata' | 'ide' | undefined;
  readonly nicModel: NicModel;
  /** `pc`, `q35`, or a version of either: `pc-q35-7.2`. */
  readonly machine: string;
  readonly firmware: 'bios' | 'uefi';
  readonly video: VideoModel;
  /** MiB, where the video model takes it. */
  readonly videoMb?: number | undefined;
  /** Keyboard and tablet beside those of the board. */
  readonly inputBus?: 'usb' | 'virtio' | undefined;
  /** The first is the console; 1 to 4. */
  readonly serialPorts: number;
  /** Whether it has the channel of QEMU's guest agent. */
  readonly guestAgent: boolean;
  /** Whether its disk is copied only while the agent freezes its file systems. */
  readonly requiresQuiesce?: boolean | undefined;
  /** Of random numbers; undefined for none. */
  readonly rng?: { readonly bytes?: number; readonly periodMs?: number } | undefined;
  readonly bootMenu: boolean;
  readonly watchdog?: WatchdogAction | undefined;
  /** Whose product is the number of vCPUs; without, QEMU chooses. */
  readonly topology?: CpuTopology | undefined;
  /** Of each of its disks, per second; absent for no limit. */
  readonly diskLimits: DiskLimits;
  /** Where the host can hold it to them. */
  readonly cpuLimits?: CpuLimits | undefined;
}

export interface CpuTopology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

export interface CpuLimits {
  /** Its part where guests compete, beside the 1024 of one without. */
  readonly shares?: number;
  /** What each of its vCPUs may run within a period, in microseconds. */
  readonly quotaUs?: number;
  readonly periodUs?: number;
}

export interface DiskLimits {
  readonly readBytes?: number;
  readonly writeBytes?: number;
  readonly totalBytes?: number;
  readonly readRequests?: number;
  readonly writeRequests?: number;
  readonly totalRequests?: number;
}

export const STANDARD_HARDWARE: GuestHardware = {
  diskBus: 'virtio',
  nicModel: 'virtio',
  machine: 'pc',
  firmware: 'bios',
  video: 'vga',
  serialPorts: 1,
  guestAgent: false,
  rng: {},
  bootMenu: false,
  diskLimits: {},
};

/** What the disk of a rescue is to a guest whose own disks keep their places. Plain data. */

export const RESCUE_CDROM_BUSES = ['scsi', 'sata', 'ide'] as const;

export type RescueDevice =
  | { readonly kind: 'disk'; readonly bus: DiskBus }
  | { readonly kind: 'cdrom'; readonly bus: (typeof RESCUE_CDROM_BUSES)[number] }
  | { readonly kind: 'floppy'; readonly bus: 'fdc' };
