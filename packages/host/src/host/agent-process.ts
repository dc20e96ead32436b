/**
 * The process of an agent. It ends with the host's, by the kernel; what it starts in sessions of its own (guests,
 * HAProxy, the switch) does not end with it, since signals go to this one process and to no group.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../door/messages.js';

export interface AgentOptions {
  /** The file that Node runs. */
  readonly entry: string;
  readonly environment: Environment;
  readonly folder: string;
  readonly output: (kind: 'stdout' | 'stderr', bytes: Buffer) => Promise<void>;
}

/** For the last output of an ended process: what it started may hold the pipes open. */
const LAST_OUTPUT_MS = 1_000;

export class AgentProcess {
  /** Its exit code once it has ended and its output is delivered; 128 and a signal's number if that ended it. */
  readonly ended: Promise<number>;

  private constructor(
    private readonly child: ChildProcess,
    { output }: AgentOptions,
  ) {
    const delivered = Promise.all([
      deliver(child.stdout, (bytes) => output('stdout', bytes)),
      deliver(child.stderr, (bytes) => output('stderr', bytes)),
    ]);
    this.ended = once(child, 'exit').then(async ([code, signal]) => {
      await Promise.race([delivered, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
      child.stdout?.destroy();
      child.stderr?.destroy();
      return codeOf(code as number | null, signal as NodeJS.Signals | null);
    });
  }

  /** @throws the system's error if it cannot be started */
  static async start(options: AgentOptions): Promise<AgentProcess> {
    const program = ['--pdeathsig', 'KILL', '--', process.execPath, options.entry];
    const child = spawn('setpriv', program, {
      cwd: options.folder,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C in the host's terminal reaches the host, which ends its agents in order.
      detached: true,
    });
    await once(child, 'spawn');
    return new AgentProcess(child, options);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it: asks, and insists after that time. */
  async end(graceMs: number): Promise<void> {
    const force = setTimeout(() => this.signal('SIGKILL'), graceMs);
    this.signal('SIGTERM');
    await this.ended.finally(() => clearTimeout(force));
  }
}

/** As fast as it is taken: the pipe fills up meanwhile, and the process waits. */
async function deliver(
  stream: Readable | null,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const bytes of stream ?? []) await take(bytes as Buffer);
  } catch {
    // Destroyed once the process has ended.
  }
}

function codeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
