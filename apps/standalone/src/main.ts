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

try {
  const standalone = await startStandalone(loadStandaloneConfig(process.env), process.env, say);
  process.once('exit', () => standalone.kill());
  void standalone.lost.then(fail);
  let stopping = false;
  const stop = (): void => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(130);
    stopping = true;
    say('Stopping; guests go on running.');
    void standalone.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
} catch (error) {
  fail(error);
}
