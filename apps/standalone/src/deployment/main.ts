/** The program `prepare`: does one step of readying a cloud of several processes. */
import 'reflect-metadata';
import { loadSettings } from '@cumulet/common/config/settings';
import { deploymentSettings } from './deployment.config.js';
import { STEPS } from './prepare.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort());

const [word = '', ...more] = process.argv.slice(2);
const step = more.length === 0 && Object.hasOwn(STEPS, word) ? STEPS[word] : undefined;
try {
  if (!step) throw new Error(`usage: prepare ${Object.keys(STEPS).join('|')}`);
  await step({
    config: loadSettings(deploymentSettings, process.env),
    env: process.env,
    signal: interruption.signal,
    say: (line) => process.stderr.write(`${line}\n`),
    print: (text) => process.stdout.write(text),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
