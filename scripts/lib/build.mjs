/**
 * The build. Turbo knows what has changed, but takes a second or two to say so; a fingerprint of
 * the sources' names, sizes and times tells in milliseconds that nothing has.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT, run, step } from './programs.mjs';

const PRINT = join(ROOT, '.turbo', 'last-build');
const ROOT_FILES = [
  'package.json',
  'package-lock.json',
  'turbo.json',
  'scripts/build-workspace.mjs',
  'scripts/lib/compile.mjs',
];

/** Builds every workspace unless nothing has changed since the last build. */
export async function ensureBuild() {
  const workspaces = listWorkspaces();
  // Taken first: changes during the build are not part of it.
  const print = printOf(workspaces);
  if (workspaces.every(isBuilt) && readOrNothing(PRINT) === print) return;
  await step('Building', () => build(ROOT));
  mkdirSync(dirname(PRINT), { recursive: true });
  writeFileSync(PRINT, print);
}

const BUILD = ['run', 'build', '--output-logs=errors-only'];

/** @param folder of a checkout. @returns what `run` does */
export function build(folder) {
  return run(process.execPath, [join(folder, 'node_modules/turbo/bin/turbo'), ...BUILD], {
    cwd: folder,
    env: { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
  });
}

/** The source folders that package.json's `workspaces` names, directly or as `<parent>/*`. */
function listWorkspaces() {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return workspaces
    .flatMap((pattern) => {
      const [parent, rest] = pattern.split('/*');
      if (rest === undefined) return [pattern];
      return readdirSync(join(ROOT, parent)).map((name) => join(parent, name));
    })
    .filter((folder) => existsSync(join(ROOT, folder, 'src')));
}

function isBuilt(workspace) {
  return existsSync(join(ROOT, workspace, 'dist'));
}

function printOf(workspaces) {
  const hash = createHash('sha256');
  const files = workspaces.flatMap((folder) => [
    join(folder, 'package.json'),
    ...readdirSync(join(ROOT, folder, 'src'), { recursive: true })
      .filter((name) => !name.endsWith('.spec.ts'))
      .map((name) => join(folder, 'src', name)),
  ]);
  for (const file of [...ROOT_FILES, ...files].sort()) {
    const { size, mtimeMs } = statSync(join(ROOT, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function readOrNothing(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
