/**
 * The npm packages. npm records what it has installed (node_modules/.package-lock.json, as its last
 * step), so comparing that with package-lock.json tells whether an installation is complete and
 * current, whoever made it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { ROOT, run, step } from './programs.mjs';

/** The packages that a checkout wants, and those that npm has installed in it. */
export const WANTED = 'package-lock.json';
export const INSTALLED = 'node_modules/.package-lock.json';

/** Installs them unless they are there. */
export async function ensureDependencies() {
  if (isInstalled(readLock(ROOT, WANTED), readLock(ROOT, INSTALLED))) return;
  await step('Installing npm packages', () => installPackages(ROOT));
}

/** @param folder of a checkout. @returns what `run` does */
export function installPackages(folder) {
  return runNpm(INSTALL, folder);
}

/**
 * Everything that building and testing needs, whatever NODE_ENV says. No package needs its install
 * script.
 */
const INSTALL = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** The npm that started this script, if any: it need not be on the search path. */
function runNpm(args, cwd) {
  const cli = process.env.npm_execpath ?? '';
  return cli.endsWith('npm-cli.js')
    ? run(process.execPath, [cli, ...args], { cwd })
    : run('npm', args, { cwd });
}

/**
 * @param wanted the packages of package-lock.json, by path
 * @param actual the installed ones, or undefined if nothing is installed
 */
export function isInstalled(wanted, actual) {
  if (actual === undefined) return false;
  return Object.entries(wanted)
    .filter(([place]) => place.startsWith('node_modules/'))
    .every(([place, entry]) => {
      const installed = actual[place];
      // Optional packages for other platforms are left out.
      if (installed === undefined) return entry.optional === true;
      return isDeepStrictEqual(identity(installed), identity(entry));
    });
}

function identity({ version, link, resolved }) {
  return link ? { link: resolved } : { version };
}

/**
 * @param folder of a checkout. @param path WANTED or INSTALLED
 * @returns its packages by path; undefined without such a file
 */
export function readLock(folder, path) {
  try {
    return JSON.parse(readFileSync(join(folder, path), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
