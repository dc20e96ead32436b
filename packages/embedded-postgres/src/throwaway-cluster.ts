/**
 * A cluster for one run of tests: in the system's temporary folder, fast rather than durable, and
 * removed afterwards. If its process was killed, the next run removes it.
 */
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Cluster, startCluster } from './cluster.js';
import { isMissing } from './cluster-error.js';
import { clusterPaths } from './cluster-folder.js';
import { FolderInUseError, lockFolder } from './folder-lock.js';
import { endProcessesIn } from './leftover-processes.js';

const PREFIX = 'cumulet-throwaway-';

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
  const folder = await mkdtemp(join(tmpdir(), 'cumulet-unnamed-'));
  await lockFolder(folder);
  const named = folder.replace('cumulet-unnamed-', PREFIX);
  await rename(folder, named);
  return named;
}

/** A folder of ours that nobody holds belonged to a dead process. */
async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    await removeIfAbandoned(join(tmpdir(), name)).catch((error: unknown) => {
      // In use after all, or removed by another process that looked at the same time.
      if (!(error instanceof FolderInUseError) && !isMissing(error)) throw error;
    });
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
