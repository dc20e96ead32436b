/**
 * A cluster for one run of tests: in memory or the system's temporary folder, fast rather than
 * durable, and removed afterwards. If its process was killed, the next run removes it.
 */
import { mkdtemp, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Cluster, startCluster } from './cluster.js';
import { isMissing } from './cluster-error.js';
import { clusterPaths } from './cluster-folder.js';
import { FolderInUseError, lockFolder } from '@cumulet/common/files/folder-lock';
import { endProcessesIn } from './leftover-processes.js';

const PREFIX = 'cumulet-throwaway-';

/** A file system in memory, on Linux; containers often have 64 MiB of it. */
const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** The largest log of Postgres, and databases for some whole clouds at a time. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Started, and used by no other process; `stop()` also removes its folder. */
export async function startThrowawayCluster(log: (line: string) => void): Promise<Cluster> {
  await removeAbandoned();
  const folder = await createFolder();
  const cluster = await startCluster({ folder: join(folder, 'postgres'), durable: false, log });
  return {
    ...cluster,
    async stop() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A folder gets the name that others look for once locked, so none takes it for abandoned. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(await findPlace(), 'cumulet-unnamed-'));
  await lockFolder(folder);
  const named = folder.replace('cumulet-unnamed-', PREFIX);
  await rename(folder, named);
  return named;
}

/**
 * Each database is 300 files. While others are removed, ext4 takes a fifth of a second of the
 * processor's time to create them, memory next to none.
 */
async function findPlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const hasRoom = memory?.type === TMPFS && memory.bavail * memory.bsize >= ENOUGH_BYTES;
  return hasRoom ? MEMORY : tmpdir();
}

/** A folder of ours that nobody holds belonged to a dead process. */
async function removeAbandoned(): Promise<void> {
  for (const place of new Set([MEMORY, tmpdir()])) {
    const names = await readdir(place).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(PREFIX))) {
      await removeIfAbandoned(join(place, name)).catch((error: unknown) => {
        // In use after all, or removed by another process that looked at the same time.
        if (!(error instanceof FolderInUseError) && !isMissing(error)) throw error;
      });
    }
  }
}

async function removeIfAbandoned(folder: string): Promise<void> {
  if ((await stat(folder)).uid !== process.getuid?.()) return;
  const lock = await lockFolder(folder);
  try {
    await endProcessesIn(clusterPaths(join(folder, 'postgres')).data);
    await rm(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
