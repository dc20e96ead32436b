/**
 * The npm packages that the programs of the images need beside their bundle, and the list of all that
 * are inside. Nothing is fetched: they are copied from where the lock file had them installed.
 */
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Found as Node does, from a folder upwards. @returns its folder, or undefined if not installed */
function placeOf(name: string, from: string): string | undefined {
  const place = join(from, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  return from === dirname(from) ? undefined : placeOf(name, dirname(from));
}

async function manifestOf(place: string): Promise<NpmPackage> {
  return JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as NpmPackage;
}

/** @returns the folders of the packages and of all that they depend on */
async function closureOf(names: readonly string[], root: string): Promise<Set<string>> {
  const found = new Set<string>();
  const add = async (name: string, from: string): Promise<void> => {
    const place = placeOf(name, from);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies } = await manifestOf(place);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      await add(needed, place);
  };
  for (const name of names) await add(name, root);
  return found;
}

const NOT_RUN = /(?:\.d\.[cm]?ts|\.ts|\.map|\.md|\.markdown|\.a)$/;
const NOT_RUN_FOLDERS = /^(?:\.github|benchmarks?|docs?|examples?|include|pkgconfig|tests?)$/;

/**
 * Copies the packages, and what they depend on, to the same places below `folder`.
 * @param root with `node_modules`
 */
export async function copyPackages(
  names: readonly string[],
  root: string,
  folder: string,
): Promise<NpmPackage[]> {
  const places = await closureOf(names, root);
  for (const place of places)
    await cp(place, join(folder, relative(root, place)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path === place || isRun(path),
    });
  return Promise.all([...places].map(manifestOf));
}

/** Packages nested in others are found by themselves. */
function isRun(path: string): boolean {
  const name = basename(path);
  return name !== 'node_modules' && !NOT_RUN.test(name) && !NOT_RUN_FOLDERS.test(name);
}

/** @param inputs paths from `root` of the modules in a bundle */
export async function packagesOf(inputs: readonly string[], root: string): Promise<NpmPackage[]> {
  const places = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return Promise.all([...new Set(places)].map((place) => manifestOf(join(root, place))));
}
