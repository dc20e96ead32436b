/** Statistics of a machine since its start. */
export interface GuestDiagnostics {
  readonly uptimeSeconds: number;
  readonly cpus: readonly CpuTime[];
  /** Host memory that the machine takes, in KiB; never more than it has. */
  readonly memoryUsedKb: number;
  readonly disks: readonly DiskCounters[];
  readonly nics: readonly NicCounters[];
}

export interface CpuTime {
  readonly id: number;
  /** Nanoseconds. */
  readonly time: number;
}

export interface DiskCounters {
  /** Linux's name: `vda`. */
  readonly device: string;
  readonly readBytes: number;
  readonly readRequests: number;
  readonly writeBytes: number;
  readonly writeRequests: number;
  readonly errors: number;
}

export interface NicCounters {
  /** The host's device, if there is one. */
  readonly device?: string | undefined;
  readonly macAddress: string;
  /** As the guest sees it; absent if it is not counted. */
  readonly received?: PacketCounters | undefined;
  readonly sent?: PacketCounters | undefined;
}

export interface PacketCounters {
  readonly bytes: number;
  readonly packets: number;
  readonly errors: number;
  readonly dropped: number;
}
