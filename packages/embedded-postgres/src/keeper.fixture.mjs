/**
 * A process that keeps a cluster, for tests to kill. Prints a line of JSON for what happened, and
 * stops the cluster when its input ends.
 *
 *     node … keeper.fixture.mjs <folder, or "throwaway">
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { startCluster } from './cluster.ts';
import { lockFolder } from '@cumulet/common/files/folder-lock';
import { startThrowawayCluster } from './throwaway-cluster.ts';

const [, , folder] = process.argv;
const say = (event) => console.log(JSON.stringify(event));
const log = (line) => say({ log: line });

async function start() {
  if (folder === 'throwaway') return startThrowawayCluster(log);
  mkdirSync(dirname(folder), { recursive: true });
  await lockFolder(dirname(folder));
  say({ locked: true });
  return startCluster({ folder, durable: true, log });
}

try {
  const cluster = await start();
  say({ url: cluster.url('postgres'), postmaster: cluster.pid() });
  process.stdin.resume().once('end', () => void cluster.stop());
} catch (error) {
  say({ error: error.message });
  process.exitCode = 1;
}
