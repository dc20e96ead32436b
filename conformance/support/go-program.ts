/**
 * Foreign programs in Go, built from their modules by the Go of this machine. A module is built in its
 * own folder, so that what it stands on has the versions of its own go.mod and go.sum.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './run-program.js';

/** Beside the environments of Python, in which nothing is looked for by the linter or the formatter. */
const BUILT = fileURLToPath(new URL('../.venv/go', import.meta.url));
/** OpenTofu takes a quarter of an hour on two cores. */
const BUILD_LIMIT_MS = 90 * 60_000;
/** What a developer has set for work of their own does not change what is built. */
const GO = { GOFLAGS: '', GOWORK: 'off', GOTOOLCHAIN: 'local' };

export interface GoProgram {
  readonly name: string;
  /** `github.com/opentofu/opentofu` */
  readonly module: string;
  /** `v1.9.1` */
  readonly version: string;
  /** Below the module: `./cmd/tofu`, or `.`, or one file. */
  readonly main: string;
  /** The program is the one that runs the tests of `main`. */
  readonly ofTests?: boolean;
}

/**
 * @returns the folder in which the program is, and nothing else
 * @throws Error with Go's output, or where there is no Go
 */
export async function builtFolder(program: GoProgram): Promise<string> {
  const { name, version, main, ofTests = false } = program;
  const folder = join(BUILT, `${name}-${version}`);
  const built = join(folder, name);
  if (existsSync(built)) return folder;
  const source = await sourceOf(program);
  await mkdir(folder, { recursive: true });
  // By another name until it is whole, since a build may be interrupted.
  const unfinished = join(BUILT, `${name}-${version}.unfinished`);
  const build = ofTests ? ['test', '-C', source, '-c'] : ['build', '-C', source];
  const options = ['-trimpath', '-o', unfinished, main];
  await outputOf('go', [...build, ...options], { env: GO, limitMs: BUILD_LIMIT_MS });
  await rename(unfinished, built);
  return folder;
}

/** @returns the folder of the module's source, in which nothing may be written: Go's own copy of it */
export async function sourceOf({
  module,
  version,
}: Pick<GoProgram, 'module' | 'version'>): Promise<string> {
  await outputOf('go', ['version'], { env: GO }).catch((cause: unknown) => {
    throw new Error('This suite builds its programs, for which it needs Go on the path.', {
      cause,
    });
  });
  const json = await outputOf('go', ['mod', 'download', '-json', `${module}@${version}`], {
    env: GO,
    limitMs: BUILD_LIMIT_MS,
  });
  return (JSON.parse(json) as { Dir: string }).Dir;
}
