/**
 * The files of others that the pages load, by their paths below `/consoles/assets`: those that their
 * packages have, and no other file of this machine.
 */
import { readdir } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Asset {
  readonly path: string;
  /** Its media type. */
  readonly type: string;
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

let assets: Promise<ReadonlyMap<string, Asset>> | undefined;

/** @param name `novnc/core/rfb.js` */
export async function assetPath(name: string): Promise<Asset | undefined> {
  assets ??= findAssets();
  return (await assets).get(name);
}

async function findAssets(): Promise<ReadonlyMap<string, Asset>> {
  const novnc = dirname(dirname(resolved('@novnc/novnc')));
  const xterm = dirname(resolved('@xterm/xterm/package.json'));
  const found = await Promise.all([
    filesOf('novnc', novnc, 'core'),
    filesOf('novnc', novnc, 'vendor'),
    filesOf('xterm', xterm, 'lib'),
    filesOf('xterm', xterm, 'css'),
  ]);
  return new Map(found.flat());
}

function resolved(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

async function filesOf(prefix: string, root: string, folder: string): Promise<[string, Asset][]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) return [];
    const path = join(entry.parentPath, entry.name);
    return [[`${prefix}/${relative(root, path)}`, { path, type }] as [string, Asset]];
  });
}
