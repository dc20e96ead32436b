/** A guest's QEMU process, controlled over its monitor. Images are known only to its launch. */
import type { Socket } from 'node:net';
import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestState } from '../../hypervisor-driver.js';
import { waitUntil } from '../../wait-until.js';
import type { GuestDiagnostics } from '../../ports/guest-diagnostics.js';
import { flag } from '../command-line.js';
import { OWN_DISK_NODE } from '../disk/disk-arguments.js';
import {
  drainConsole,
  readConsole,
  serialBackend,
  useRing,
  useSocket,
} from '../console/guest-console.js';
import {
  DISPLAY_SOCKET,
  SERIAL_SOCKET,
  type GuestFolder,
  connectConsole,
} from '../guest-folder.js';
import { readState, withMonitor } from './guest-monitor.js';
import { findGuestProcess, killProcess, waitForExit } from './guest-process.js';
import { diagnosticsOf, monitorStatistics } from './machine-diagnostics.js';
import { GuestAlreadyStartedError } from './qemu-start-failure.js';
import { QmpError, type QmpConnection } from './qmp-connection.js';
import { isSuspended, restoreMemory, saveMemory } from './memory-snapshot.js';
import { startQemu, type Launch, type StartPrograms } from './start-qemu.js';

export interface MachineOptions {
  readonly programs: StartPrograms;
  readonly consoleBytes: number;
  /** Time that QEMU may take to answer. */
  readonly answerTimeoutMs: number;
}

const SETTLE_TIMEOUT_MS = 10_000;
const QUIT_TIMEOUT_MS = 5_000;

interface Block {
  readonly inserted?: { readonly 'node-name'?: string };
}

export class GuestMachine {
  constructor(
    private readonly folder: GuestFolder,
    private readonly options: MachineOptions,
  ) {}

  pid(): Promise<number | undefined> {
    return findGuestProcess(this.folder);
  }

  async exists(): Promise<boolean> {
    return (await findGuestProcess(this.folder)) !== undefined;
  }

  async state(): Promise<GuestState> {
    for (;;) {
      const pid = await findGuestProcess(this.folder);
      if (pid === undefined) return 'absent';
      try {
        return await this.converse(readState);
      } catch (error) {
        // The machine may have ended, and been replaced.
        if (!(await waitForExit(this.folder, pid, 0))) throw error;
      }
    }
  }

  /** Starts it, or waits for another process of ours that does. */
  async start(launch: Launch): Promise<void> {
    const runs = await waitUntil(async () => {
      try {
        await startQemu(this.options.programs, launch, this.folder);
        return true;
      } catch (error) {
        if (!(error instanceof GuestAlreadyStartedError)) throw error;
        // Or a machine that ends still has the lock: the kernel closes its files last.
        return (await this.state()) === 'running';
      }
    }, SETTLE_TIMEOUT_MS);
    if (runs) return;
    throw new HypervisorError('transient', 'The server is being started by another process.');
  }

  async resume(): Promise<void> {
    await this.converse((monitor) => monitor.execute('cont'));
  }

  /** Throws `not-ready` if it has ended. */
  async pause(): Promise<void> {
    await this.whileRunning('paused', async (monitor) => {
      await monitor.execute('stop');
    });
  }

  async suspend(): Promise<void> {
    if (!(await isSuspended(this.folder))) {
      await this.whileRunning('suspended', (monitor) => saveMemory(monitor, this.folder));
    }
    await this.stop();
  }

  /** Starts it with its saved memory, and resumes it. */
  async resumeSuspended(launch: Launch): Promise<void> {
    // Another process began to resume it, and it has not run yet.
    await this.stop();
    await this.start({ ...launch, args: [...launch.args, ...flag('-S')] });
    try {
      await this.converse((monitor) => restoreMemory(monitor, this.folder));
    } catch (error) {
      if (await isSuspended(this.folder)) await this.stop();
      throw error;
    }
  }

  /** Deletes an internal snapshot of its disks, if there is one. */
  async forgetKeptDisks(name: string): Promise<void> {
    await this.converse(async (monitor) => {
      const blocks = (await monitor.execute('query-block')) as Block[];
      for (const { inserted } of blocks) {
        const device = inserted?.['node-name'];
        if (device === undefined || !OWN_DISK_NODE.test(device)) continue;
        try {
          await monitor.execute('blockdev-snapshot-delete-internal-sync', { device, name });
        } catch (error) {
          // Absent, as wanted.
          if (!(error instanceof QmpError) || error.failure !== 'refused') throw error;
        }
      }
    });
  }

  async injectInterrupt(): Promise<void> {
    await this.whileRunning('interrupted', async (monitor) => {
      await monitor.execute('inject-nmi');
    });
  }

  async pressPowerButton(): Promise<void> {
    await this.converse((monitor) => monitor.execute('system_powerdown'));
  }

  async reset(): Promise<void> {
    await this.converse(resetAndRun);
  }

  /** Asks QEMU first, so that it can flush its writes. */
  async stop(): Promise<void> {
    try {
      await this.quit(() => true);
    } catch {
      await this.kill();
    }
  }

  /** Ends a halted machine, in one conversation: never a machine that was started since. */
  async stopIfHalted(): Promise<void> {
    await this.quit((state) => state === 'shutdown' || state === 'crashed');
  }

  async kill(): Promise<void> {
    const pid = await findGuestProcess(this.folder);
    if (pid !== undefined) await killProcess(this.folder, pid);
  }

  async consoleOutput(lines?: number): Promise<string> {
    if (await this.exists()) {
      // A machine that does not answer still has its earlier output.
      await this.converse(() => Promise.resolve()).catch(() => undefined);
    }
    return readConsole(this.folder, lines);
  }

  async diagnostics(): Promise<GuestDiagnostics> {
    await this.requireMachine();
    const statistics = await this.converse(monitorStatistics);
    const pid = await findGuestProcess(this.folder);
    if (pid === undefined) return this.diagnostics();
    return diagnosticsOf(pid, statistics);
  }

  /** To its serial port, for one reader at a time. */
  async openSerial(): Promise<Socket> {
    await this.requireMachine();
    return this.converse(async (monitor) => {
      if ((await serialBackend(monitor)) === 'socket') {
        throw new HypervisorError('transient', 'Another process has the serial console open.');
      }
      await useSocket(monitor);
      return connectConsole(this.folder, SERIAL_SOCKET);
    });
  }

  async openDisplay(): Promise<Socket> {
    await this.requireMachine();
    return connectConsole(this.folder, DISPLAY_SOCKET);
  }

  private async requireMachine(): Promise<void> {
    if (await this.exists()) return;
    throw new HypervisorError('not-ready', 'The server has no machine.');
  }

  private async quit(wanted: (state: GuestState) => boolean): Promise<void> {
    const pid = await findGuestProcess(this.folder);
    if (pid === undefined) return;
    try {
      const asked = await this.converse(async (monitor) => {
        const doIt = wanted(await readState(monitor));
        if (doIt) await monitor.execute('quit');
        return doIt;
      });
      if (!asked) return;
    } catch (error) {
      // The caller only wants it gone, whoever ended it.
      if (await waitForExit(this.folder, pid, 0)) return;
      throw error;
    }
    if (await waitForExit(this.folder, pid, QUIT_TIMEOUT_MS)) return;
    await killProcess(this.folder, pid);
  }

  /** A reader of the serial port keeps its output; after it, the ring does again. */
  private async keepOutput(monitor: QmpConnection, consoleBytes: number): Promise<void> {
    const backend = await serialBackend(monitor);
    if (backend === 'ring') await drainConsole(monitor, this.folder, consoleBytes);
    if (backend === 'socket-alone') await useRing(monitor, consoleBytes);
  }

  private async whileRunning(
    what: string,
    work: (monitor: QmpConnection) => Promise<void>,
  ): Promise<void> {
    const ended = `The server does not run, and cannot be ${what}.`;
    if (!(await this.exists())) throw new HypervisorError('not-ready', ended);
    await this.converse(async (monitor) => {
      const state = await readState(monitor);
      if (state === 'shutdown' || state === 'crashed')
        throw new HypervisorError('not-ready', ended);
      await work(monitor);
    });
  }

  /** Talks to QEMU, after saving the console's output. */
  converse<T>(work: (monitor: QmpConnection) => Promise<T>): Promise<T> {
    const { answerTimeoutMs, consoleBytes } = this.options;
    const patience = { timeoutMs: answerTimeoutMs, isAlive: () => this.exists() };
    return withMonitor(this.folder, patience, async (monitor) => {
      await this.keepOutput(monitor, consoleBytes);
      return work(monitor);
    });
  }
}

/** QEMU resets shortly after it answers, and until then refuses to resume a halted machine. */
async function resetAndRun(monitor: QmpConnection): Promise<void> {
  await monitor.execute('system_reset');
  const running = await waitUntil(async () => {
    if ((await readState(monitor)) === 'running') return true;
    try {
      await monitor.execute('cont');
    } catch (error) {
      if (!(error instanceof QmpError) || error.failure !== 'refused') throw error;
    }
    return false;
  }, SETTLE_TIMEOUT_MS);
  if (running) return;
  throw new HypervisorError('transient', 'The server does not come out of its reset.');
}
