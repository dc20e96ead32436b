import 'reflect-metadata';
import { SettingError } from '@cumulet/common/config/settings';
import { constants } from 'node:os';
import { loadStandaloneConfig } from './config.js';
import { startStandalone, type Standalone } from './standalone.js';
import { StartupError } from './startup-error.js';

/** Signals that ask the cloud to end: Ctrl-C, a service manager, a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

interface Interruption {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
  /** The exit code by a shell's convention: 130 for SIGINT. */
  exitCode(): number;
}

/** Handles signals from now on. A second one ends the process at once. */
function interruptOnSignals(): Interruption {
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line for what a person can fix, the stack for our own mistakes. */
function fail(error: unknown): never {
  const known = error instanceof StartupError || error instanceof SettingError;
  const text = error instanceof Error ? (known ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? ''}\n`);
  process.exit(1);
}

// The reader of the output may be gone, as `tee` is on Ctrl-C; the cloud still stops properly.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

// The S3 SDK's warning about Node's version is for those who build this, not those who run it.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

// From the beginning, so that nothing is left behind.
const interruption = interruptOnSignals();
const { signal } = interruption;

async function start(): Promise<Standalone> {
  const giveUp = (): void => say('Stopping; the start is given up.');
  signal.addEventListener('abort', giveUp);
  try {
    return await startStandalone(loadStandaloneConfig(process.env), process.env, say, signal);
  } catch (error) {
    // Ctrl-C causes all kinds of errors here.
    if (signal.aborted) process.exit(interruption.exitCode());
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function run(): Promise<void> {
  const standalone = await start();
  void standalone.lost.then(fail);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  say('Stopping; guests go on running.');
  await standalone.stop();
}

void run()
  .catch(fail)
  .then(() => process.exit(0));
