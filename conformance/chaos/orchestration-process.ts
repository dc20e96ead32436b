/**
 * A process of the orchestration service beside a cloud, on the cloud's Postgres: it works on the same
 * stacks, and serves nobody.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import { freePort } from '@cumulet/testing/free-port';
import type { RunningCloud } from '../support/running-cloud.js';

const MAIN = fileURLToPath(new URL('../../apps/orchestration/dist/main.js', import.meta.url));

/** Where the cloud serves what stacks have resources of, by the name in the setting of its address. */
const SISTERS: Readonly<Record<string, string>> = {
  COMPUTE: '/compute',
  IDENTITY: '/identity',
  IMAGES: '/image',
  LOADBALANCER: '/load-balancer',
  NETWORK: '/networking',
  ORCHESTRATION: '/orchestration',
  SECRETS: '/key-manager',
};

const START_LIMIT_MS = 120_000;

export class OrchestrationProcess {
  #child: ChildProcess | undefined;
  #said = '';

  constructor(private readonly cloud: RunningCloud) {}

  /**
   * Returns once it works on stacks.
   * @throws Error where it does not come to
   */
  async start(): Promise<void> {
    const port = await freePort();
    const settings = await environmentOf(this.cloud);
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], ...settings, ORCHESTRATION_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#said = '';
    child.stderr.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    this.#child = child;
    // It takes requests once it has begun to work.
    await eventually('a process of orchestration', START_LIMIT_MS, () => {
      this.#requireAlive(child);
      return fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    });
  }

  /**
   * SIGKILL. Returns once it is gone.
   * @throws Error where it has ended before
   */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    this.#requireAlive(child);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  #requireAlive({ exitCode }: ChildProcess): void {
    if (exitCode !== null) throw new Error(`a process ended by itself: ${this.#said}`);
  }
}

/** From what the cloud keeps in its data folder. */
async function environmentOf({ folder, url }: RunningCloud): Promise<Record<string, string>> {
  const secrets = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')) as {
    servicePassword: string;
    orchestrationKey: string;
  };
  const [password, port] = await Promise.all(
    ['password', 'port'].map(async (name) =>
      (await readFile(join(folder, 'postgres', name), 'utf8')).trim(),
    ),
  );
  const sisters = Object.entries(SISTERS).map(([name, path]): [string, string] => [
    `CUMULET_${name}_URL`,
    url + path,
  ]);
  return {
    CUMULET_ROLE: 'worker',
    CUMULET_LOG_LEVEL: 'error',
    ORCHESTRATION_LISTEN_HOST: '127.0.0.1',
    ORCHESTRATION_DATABASE_URL: `postgres://cumulet:${password}@127.0.0.1:${port}/cumulet_orchestration`,
    ORCHESTRATION_DATABASE_POOL_SIZE: '5',
    ORCHESTRATION_PUBLIC_URL: `${url}/orchestration`,
    ORCHESTRATION_SECRET_KEY: secrets.orchestrationKey,
    CUMULET_SERVICE_PASSWORD: secrets.servicePassword,
    ...Object.fromEntries(sisters),
  };
}
