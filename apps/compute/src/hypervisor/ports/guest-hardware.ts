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
  /** Bus of the config drive as a CD-ROM; by default it is a virtio disk. */
  readonly cdromBus?: 'scsi' | 'sata' | 'ide' | undefined;
  readonly nicModel: NicModel;
  /** `pc`, `q35`, or a version of either: `pc-q35-7.2`. */
  readonly machine: string;
  readonly firmware: 'bios' | 'uefi';
  readonly video: VideoModel;
  /** MiB, for video models that take it. */
  readonly videoMb?: number | undefined;
  /** Keyboard and tablet in addition to the board's. */
  readonly inputBus?: 'usb' | 'virtio' | undefined;
  /** The first is the console; 1 to 4. */
  readonly serialPorts: number;
  /** Whether it has the guest agent's channel. */
  readonly guestAgent: boolean;
  /** Whether a disk copy requires frozen file systems. */
  readonly requiresQuiesce?: boolean | undefined;
  /** Source of random numbers; undefined for none. */
  readonly rng?: { readonly bytes?: number; readonly periodMs?: number } | undefined;
  readonly bootMenu: boolean;
  readonly watchdog?: WatchdogAction | undefined;
  /** Multiplies to the number of vCPUs; by default QEMU chooses. */
  readonly topology?: CpuTopology | undefined;
  /** Per disk and second; absent for no limit. */
  readonly diskLimits: DiskLimits;
  /** If the host can enforce them. */
  readonly cpuLimits?: CpuLimits | undefined;
}

export interface CpuTopology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

export interface CpuLimits {
  /** Weight among competing guests; 1024 is the default. */
  readonly shares?: number;
  /** Runtime of each vCPU within a period, in microseconds. */
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

/** The rescue disk of a guest whose own disks keep their places. */

export const RESCUE_CDROM_BUSES = ['scsi', 'sata', 'ide'] as const;

export type RescueDevice =
  | { readonly kind: 'disk'; readonly bus: DiskBus }
  | { readonly kind: 'cdrom'; readonly bus: (typeof RESCUE_CDROM_BUSES)[number] }
  | { readonly kind: 'floppy'; readonly bus: 'fdc' };
