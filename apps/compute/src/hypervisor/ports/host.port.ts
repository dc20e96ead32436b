export interface HostPort {
  /** This host: what runs guests, how fast and why, and its resources. */
  describe(): Promise<HostDescription>;
}

export interface HostDescription {
  /** On the wire as `hypervisor_type`. A simulated driver always says so. */
  readonly type: 'QEMU' | 'simulated';
  /** `7.2.22` */
  readonly version: string;
  readonly accelerator: 'kvm' | 'tcg' | 'none';
  /** One sentence: why this accelerator was chosen. */
  readonly why: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Size of the file system that holds the guests' disks, in GiB. */
  readonly diskGb: number;
}
