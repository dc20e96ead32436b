/** Signals that ask the cloud to end: Ctrl-C, a service manager, a closed terminal. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export interface Interruption {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
  /** The exit code by a shell's convention: 130 for SIGINT. */
  exitCode(): number;
}

/** Handles them from now on. A second one ends the process: its sender does not want to wait. */
export function interruptOnSignals(): Interruption {
  const interrupted = new AbortController();
  let exitCode = 0;
  for (const name of SIGNALS) {
    process.on(name, () => {
      exitCode = 128 + constants.signals[name];
      if (interrupted.signal.aborted) process.exit(exitCode);
      interrupted.abort();
    });
  }
  return { signal: interrupted.signal, exitCode: () => exitCode };
}
