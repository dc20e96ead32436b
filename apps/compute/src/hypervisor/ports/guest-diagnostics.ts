/** What a machine has used since it was started. Plain data. */
export interface GuestDiagnostics {
  /** Since the machine was started. */
  readonly uptimeSeconds: number;
  readonly cpus: readonly CpuTime[];
  /** What the machine's memory takes of the host's, in KiB; never more than it has. */
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
  /** As Linux names it: `vda`. */
  readonly device: string;
  readonly readBytes: number;
  readonly readRequests: number;
  readonly writeBytes: number;
  readonly writeRequests: number;
  readonly errors: number;
}

export interface NicCounters {
  /** The host's device, where there is one. */
  readonly device?: string | undefined;
  readonly macAddress: string;
  /** As the guest sees it; absent where nobody counts. */
  readonly received?: PacketCounters | undefined;
  readonly sent?: PacketCounters | undefined;
}

export interface PacketCounters {
  readonly bytes: number;
  readonly packets: number;
  readonly errors: number;
  readonly dropped: number;
}
