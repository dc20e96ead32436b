/** Shared by the tests of a cluster: folders, processes that keep a cluster, and queries. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import pg from 'pg';

import { type Cluster, startCluster } from './cluster.js';
import { endProcessesIn } from './leftover-processes.js';

/** One line of a keeper's output. */
export interface KeeperEvent {
  readonly locked?: true;
  readonly log?: string;
  readonly url?: string;
  readonly postmaster?: number;
  readonly error?: string;
}

/** A separate process that keeps a cluster: see keeper.fixture.mjs. */
export interface Keeper {
  readonly events: KeeperEvent[];
  /** Resolves with the first event that `matches`. */
  saw(matches: (event: KeeperEvent) => boolean): Promise<KeeperEvent>;
  /** Kills it with SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
  /** Resolves with its exit code once it has stopped cleanly. */
  stop(): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export function startKeeper(folder: string): Keeper {
  const child = spawn(
    process.execPath,
    [
      '--conditions=cumulet-source',
      '--import',
      here('../../../scripts/lib/typescript-sources.mjs'),
      here('keeper.fixture.mjs'),
      folder,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const events: KeeperEvent[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => events.push(JSON.parse(line) as KeeperEvent));
  const exited = once(child, 'close').then(() => child.exitCode);
  return {
    events,
    exited,
    async saw(matches) {
      for (;;) {
        const found = events.find(matches);
        if (found) return found;
        await Promise.race([once(lines, 'line'), rejectOnExit(child)]);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.stdin.end();
      return exited;
    },
  };
}

async function rejectOnExit(child: ChildProcess): Promise<never> {
  await once(child, 'close');
  throw new Error(`the keeper ended with ${String(child.exitCode ?? child.signalCode)}`);
}

/** Cluster folders of one test file, in a place that only this user may enter. */
export interface ClusterFolders {
  /** A folder without a cluster. */
  empty(): string;
  /** A folder with a cluster that was stopped cleanly. */
  withCluster(): string;
  /** Opens a cluster here, in this process; `removeAll` stops it. */
  start(folder: string, port?: number): Promise<{ cluster: Cluster; log: string[] }>;
  removeAll(): Promise<void>;
}

export async function createClusterFolders(): Promise<ClusterFolders> {
  const root = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
  const folders: string[] = [];
  const clusters: Cluster[] = [];
  const pristine = join(root, 'pristine', 'postgres');
  const first = await startCluster({ folder: pristine, durable: false, log: () => undefined });
  await query(first.url('postgres'), 'CREATE TABLE kept (value text)');
  await first.stop();

  const empty = (): string => {
    folders.push(join(root, String(folders.length), 'postgres'));
    return folders.at(-1) as string;
  };
  return {
    empty,
    withCluster() {
      const folder = empty();
      execFileSync('cp', ['-a', join(pristine, '..'), join(folder, '..')]);
      return folder;
    },
    async start(folder, port) {
      const log: string[] = [];
      const cluster = await startCluster({
        folder,
        durable: true,
        log: (line) => log.push(line),
        ...(port === undefined ? {} : { port }),
      });
      clusters.push(cluster);
      return { cluster, log };
    },
    async removeAll() {
      await Promise.all(clusters.map((each) => each.stop()));
      for (const folder of folders) await endProcessesIn(join(folder, 'data'));
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** @returns the first column of the rows, as text */
export async function query(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.map(([value]) => String(value));
  } finally {
    await client.end();
  }
}
