import type { Accelerator } from './accelerator.js';
import type { GuestUsers } from './guest-users.js';
import type { QemuPrograms } from './qemu-programs.js';

export interface QemuHypervisorOptions {
  readonly programs: QemuPrograms;
  readonly accelerator: Accelerator;
  readonly users: GuestUsers;
  readonly dataDir: string;
  /** How much of each guest's console output is kept, in bytes. */
  readonly consoleBytes: number;
  /** How long a guest's QEMU may take to answer, in milliseconds; 10 seconds by default. */
  readonly answerTimeoutMs?: number;
}
