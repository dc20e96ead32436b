import 'reflect-metadata';
import { SettingError } from '@cumulet/common/config/settings';
import { loadStandaloneConfig } from './config.js';
import { startStandalone } from './standalone.js';
import { StartupError } from './startup-error.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line for what a person can mend, the stack for what is our mistake. */
function fail(error: unknown): never {
  const known = error instanceof StartupError || error instanceof SettingError;
  const text = error instanceof Error ? (known ? error.message : error.stack) : String(error);
  process.stderr.write(`${text ?? ''}\n`);
  process.exit(1);
}

// Who read what it says may be gone, as `tee` is on Ctrl-C: no reason to go without a proper end.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const stopping = new AbortController();

async function run(): Promise<void> {
  const config = loadStandaloneConfig(process.env);
  const standalone = await startStandalone(config, process.env, say, stopping.signal);
  process.once('exit', () => standalone.kill());
  void standalone.lost.then(fail);
  if (!stopping.signal.aborted)
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  say('Stopping; guests go on running.');
  await standalone.stop();
}

// From the first moment on: what has been started must not be left behind either.
const stop = (): void => {
  // Whoever asks twice does not want to wait.
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

await run().catch((error: unknown) => {
  if (error === stopping.signal.reason) process.exit(130);
  fail(error);
});
process.exit(0);
