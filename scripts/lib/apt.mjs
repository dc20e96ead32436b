/** Debian's and Ubuntu's package tool, for those who may use it without a prompt. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { isOnPath, run } from './programs.mjs';

const LISTS = '/var/lib/apt/lists';
const LISTS_MAX_AGE_MS = 24 * 3600 * 1000;
/** Another apt may be running, such as the updates after boot. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120'];

/** Whether this machine has apt and this process may install with it. */
export function mayInstall() {
  return process.getuid?.() === 0 && isOnPath('apt-get');
}

/** Learns what there is to install, unless it did so lately. @returns whether it had */
export async function updateStaleLists() {
  const fresh = areListsFresh();
  if (!fresh) await aptGet(['update']);
  return fresh;
}

/** @returns `{ exitCode, output }` of the last attempt */
export async function installPackages(names) {
  const fresh = await updateStaleLists();
  const first = await install(names);
  if (first.exitCode === 0 || !fresh) return first;
  // The lists may name versions that the mirror no longer has.
  await aptGet(['update']);
  return install(names);
}

function install(names) {
  return aptGet(['install', '--yes', '--no-install-recommends', ...names]);
}

/** @returns `{ exitCode, output }` */
export function aptGet(args, { cwd } = {}) {
  return run('apt-get', [...WAIT_FOR_LOCK, '-qq', ...args], {
    cwd,
    env: { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1' },
  });
}

function areListsFresh() {
  try {
    const times = readdirSync(LISTS)
      .filter((name) => name.includes('Packages'))
      .map((name) => statSync(join(LISTS, name)).mtimeMs);
    return times.length > 0 && Date.now() - Math.max(...times) < LISTS_MAX_AGE_MS;
  } catch {
    return false;
  }
}
