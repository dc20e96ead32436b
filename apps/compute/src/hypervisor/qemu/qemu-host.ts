import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import type { HostDescription, HostPort } from '../ports/host.port.js';
import type { QemuHypervisorOptions } from './qemu-options.js';

export class QemuHost implements HostPort {
  constructor(
    private readonly options: QemuHypervisorOptions,
    private readonly guestsFolder: string,
  ) {}

  async describe(): Promise<HostDescription> {
    const { programs, accelerator } = this.options;
    const disk = await statfs(this.guestsFolder);
    return {
      type: 'QEMU',
      version: programs.version,
      accelerator: accelerator.name,
      why: accelerator.why,
      vcpus: availableParallelism(),
      memoryMb: Math.floor(hostMemoryBytes() / 1024 ** 2),
      diskGb: Math.floor((disk.blocks * disk.bsize) / 1024 ** 3),
    };
  }
}

/** What this process may give to guests: inside a container, less than the machine has. */
function hostMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
