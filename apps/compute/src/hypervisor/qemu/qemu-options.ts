import type { Accelerator } from './accelerator.js';
import type { GuestCgroups } from './guest-cgroups.js';
import type { GuestUsers } from './guest-users.js';
import type { QemuPrograms } from './qemu-programs.js';

export interface QemuHypervisorOptions {
  readonly programs: QemuPrograms;
  readonly accelerator: Accelerator;
  readonly users: GuestUsers;
  /** Undefined where guests are held to no memory and processors. */
  readonly cgroups?: GuestCgroups | undefined;
  readonly dataDir: string;
  /** How much of each guest's console output is kept, in bytes. */
  readonly consoleBytes: number;
  /** How long a guest's QEMU may take to answer, in milliseconds; 10 seconds by default. */
  readonly answerTimeoutMs?: number;
}
