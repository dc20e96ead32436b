/**
 * The release before this one, built: upgrades and the ways back are tested with its own processes.
 *
 * Always holds: its workspaces see one another and never this checkout's; other packages are this
 * checkout's where both releases have the same, and otherwise its own.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from './build.mjs';
import { INSTALLED, WANTED, installPackages, isInstalled, readLock } from './dependencies.mjs';
import { ROOT, run, step, StepError } from './programs.mjs';

/** The tag v0.1.0, which a clone need not have. */
export const RELEASE_BEFORE = {
  version: '0.1.0',
  commit: '99670f70e2c46e01fe5adee9482e8b0ed23cbb12',
};

/** Git, linters and Jest look at nothing in it, and `npm ci` removes it with what it links to. */
const CACHE = join(ROOT, 'node_modules/.cache/cumulet/releases');

/** Of several that are built at a time, one stays. @returns the folder of its checkout */
export async function releaseBefore() {
  const { version, commit } = RELEASE_BEFORE;
  const folder = join(CACHE, version);
  if (existsSync(folder) && !hasLostItsPackages(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    await step(`Building release ${version}`, async () => {
      await checkOut(commit, work);
      await providePackages(work);
      return build(work);
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

async function checkOut(commit, folder) {
  const env = { GIT_INDEX_FILE: join(folder, '.index') };
  const git = (...args) => run('git', args, { env });
  if ((await git('cat-file', '-e', `${commit}^{commit}`)).exitCode !== 0)
    throw new StepError(
      `The release before this one, commit ${commit}, is not in this clone: git fetch --unshallow gets it`,
    );
  for (const args of [
    ['read-tree', commit],
    ['checkout-index', '--all', `--prefix=${folder}/`],
  ])
    mustSucceed(await git(...args));
}

async function providePackages(folder) {
  const wanted = readLock(folder, WANTED);
  if (!isInstalled(wanted, readLock(ROOT, INSTALLED)))
    return mustSucceed(await installPackages(folder));
  for (const [place, { link, resolved }] of Object.entries(wanted)) {
    // The packages within another come with that one's link.
    if (place.split('node_modules/').length !== 2) continue;
    const to = join(folder, place);
    const from = link ? join(folder, resolved) : join(ROOT, place);
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(relative(dirname(to), from), to);
  }
}

/** Whether packages that it links to were replaced by other versions since. */
function hasLostItsPackages(folder) {
  if (existsSync(join(folder, INSTALLED))) return false;
  return !isInstalled(readLock(folder, WANTED), readLock(ROOT, INSTALLED));
}

function mustSucceed({ exitCode, output }) {
  if (exitCode !== 0) throw new StepError(output.trimEnd());
}
