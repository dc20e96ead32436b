/**
 * `node healthy.js`, the health check of the images: exits with 0 if the container's service says that
 * it is ready, and with 1 otherwise. The service is the program that the container's first process
 * runs; other programs have nothing to ask, and are healthy while they run.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { askProbe } from '@cumulet/common/tls/ask-probe';

interface Probe {
  readonly portSetting: string;
  readonly port: number;
  readonly path: string;
}

const LIMIT_MS = 4_000;

const probes = JSON.parse(
  await readFile(new URL('./probes.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Probe>>;

/** Also as an argument of an init that reaps processes. */
const commandLine = await readFile('/proc/1/cmdline', 'utf8');
const program = commandLine.split('\0').find((word) => word.endsWith('.js')) ?? '';
const probe = probes[basename(program, '.js')];

if (probe) {
  const { portSetting, port, path } = probe;
  const at = { host: '127.0.0.1', port: process.env[portSetting] ?? port, path };
  try {
    process.exit((await askProbe(process.env, at, LIMIT_MS)) === 200 ? 0 : 1);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
