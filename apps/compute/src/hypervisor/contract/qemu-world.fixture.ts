/** A host of the QEMU driver in a folder of its own, for tests on real machines. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLines } from '@cumulet/common/programs/command-lines';
import { findGuestProcesses } from '../qemu/machine/guest-process.js';
import { findGuestUsers } from '../qemu/guest-users.js';
import { QemuHypervisor } from '../qemu/qemu-hypervisor.js';
import { type QemuHypervisorOptions, findQemuPrograms } from '../qemu/qemu-programs.js';
import type { HypervisorHarness } from './harness.fixture.js';
import { tinyGuest } from './tiny-guest.fixture.js';

export const QEMU_CONSOLE_BYTES = 64 * 1024;

const GREETING = 'the tiny guest is up';

/** Longer than a socket's path may be, with characters that are special in QEMU's options. */
const AWKWARD_NAME = `data, of "this" host: ${'long '.repeat(20)}`;

export class QemuWorld implements HypervisorHarness {
  readonly bootImage = tinyGuest({ text: `${GREETING}\r\n` });
  readonly greeting = GREETING;

  private constructor(
    private readonly root: string,
    readonly options: QemuHypervisorOptions,
    readonly driver: QemuHypervisor,
  ) {}

  /** @param searchPath the value of PATH. Throws if QEMU is not installed. */
  static async open(searchPath: string | undefined): Promise<QemuWorld> {
    const users = await findGuestUsers(undefined);
    const programs = await findQemuPrograms(searchPath ?? '', users.of(''));
    if (typeof programs === 'string') throw new Error(programs);
    const root = await mkdtemp(join(tmpdir(), 'cumulet-qemu-'));
    const options: QemuHypervisorOptions = {
      programs,
      accelerator: { name: 'tcg', why: 'tests run the same everywhere' },
      users,
      dataDir: join(root, AWKWARD_NAME),
      consoleBytes: QEMU_CONSOLE_BYTES,
    };
    return new QemuWorld(root, options, await QemuHypervisor.open(options));
  }

  readonly reopen = (): Promise<QemuHypervisor> => QemuHypervisor.open(this.options);

  readonly killMachine = (guestId: string): Promise<void> => {
    process.kill(this.processOf(guestId), 'SIGKILL');
    return Promise.resolve();
  };

  readonly close = async (): Promise<void> => {
    for (const pid of findGuestProcesses(this.guestsFolder).values()) {
      process.kill(pid, 'SIGKILL');
    }
    await rm(this.root, { recursive: true, force: true });
  };

  get guestsFolder(): string {
    return join(this.options.dataDir, 'guests');
  }

  get imagesFolder(): string {
    return join(this.options.dataDir, 'images');
  }

  file(guestId: string, name: string): string {
    return join(this.guestsFolder, guestId, name);
  }

  processOf(guestId: string): number {
    const pid = findGuestProcesses(this.guestsFolder).get(guestId);
    if (pid === undefined) throw new Error(`guest ${guestId} has no process`);
    return pid;
  }

  /** Command lines of all processes here that were started for this guest. */
  commandLinesOf(guestId: string): string[] {
    const lines = [...commandLines().values()].filter((line) => line.includes(guestId));
    return lines.map((line) => line.join('\0'));
  }
}
