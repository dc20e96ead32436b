/** Which saves concern a running cloud, and a watch for them. */
import { existsSync, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

import { ROOT } from './programs.mjs';

/**
 * Whether a cloud loads the file, so that it has to start again when that is saved.
 *
 * @param {string} path from the repository's root
 */
export function isLoadedByCloud(path) {
  const isSource = /^(apps|packages)\/[^/]+\/src\/(.+\/)?[^./#][^/]*\.ts$/.test(path);
  return isSource && !/\.(spec|fixture|d)\.ts$/.test(path) && !path.startsWith('packages/testing/');
}

/**
 * Watches every folder of sources by itself: Node.js 20 on Linux has no other reliable way.
 *
 * @param {(path: string) => void} onSave gets the path from the root of each file that a cloud loads
 * @returns {() => void} ends the watch
 */
export function watchSources(onSave, root = ROOT) {
  const watchers = new Map();
  const follow = (folder) => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (event, name) => {
      const path = join(folder, name ?? '');
      if (event === 'rename') followBelow(path);
      if (isLoadedByCloud(relative(root, path))) onSave(relative(root, path));
    });
    watcher.on('error', () => forget(folder));
    watchers.set(folder, watcher);
  };
  const forget = (folder) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const followBelow = (path) => {
    if (!existsSync(path)) return forget(path);
    for (const folder of foldersFrom(path)) follow(folder);
  };
  for (const parent of ['apps', 'packages']) {
    for (const name of readdirSync(join(root, parent)))
      followBelow(join(root, parent, name, 'src'));
  }
  return () => {
    for (const folder of [...watchers.keys()]) forget(folder);
  };
}

/** The folder itself and all below it; none of a file. */
function foldersFrom(path) {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory());
    return [path, ...below.flatMap(({ name }) => foldersFrom(join(path, name)))];
  } catch {
    return [];
  }
}
