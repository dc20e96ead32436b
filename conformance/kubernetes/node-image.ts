/** The image of nodes that the suite boots, and the kubectl that goes with it: built where there is none. */
import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../support/run-program.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Mostly Go's compiler. */
export const BUILD_LIMIT_MS = 90 * 60_000;
const GIB = 2 ** 30;

export interface NodeImage {
  readonly path: string;
  readonly version: string;
  /** `os_distro=cumulet-node`, … as the client's `--property` takes them. */
  readonly properties: readonly string[];
  readonly minDisk: number;
  readonly minRam: number;
}

/** @throws Error in one line where the machine has too little memory */
export function requireMemory(gib: number): void {
  const free = freemem() / GIB;
  if (free >= gib) return;
  throw new Error(`This cluster needs ${gib} GiB of free memory; ${free.toFixed(1)} GiB are free.`);
}

/** @param folder in which `npm run node-image` leaves its files, and its cache */
export async function nodeImage(folder: string, version: string): Promise<NodeImage> {
  const stem = join(folder, 'node-images', `cumulet-node-v${version}`);
  if (!(await exists(`${stem}.qcow2`))) await build(folder, version);
  const record = JSON.parse(await readFile(`${stem}.json`, 'utf8')) as Record<string, unknown>;
  const { name: _name, disk_format: _disk, container_format: _container, ...rest } = record;
  const { min_disk: minDisk, min_ram: minRam, ...properties } = rest;
  return {
    path: `${stem}.qcow2`,
    version: `v${version}`,
    properties: Object.entries(properties).map(([key, value]) => `${key}=${String(value)}`),
    minDisk: Number(minDisk),
    minRam: Number(minRam),
  };
}

/** @returns a kubectl of the same version: that which is in the image, by the name that it acts by */
export async function kubectlOf(folder: string, version: string, into: string): Promise<string> {
  const program = join(folder, 'cache', 'node-image', 'programs', version, 'kubernetes');
  if (!(await exists(program))) return 'kubectl';
  await mkdir(into, { recursive: true });
  const kubectl = join(into, 'kubectl');
  await symlink(program, kubectl);
  return kubectl;
}

async function build(folder: string, version: string): Promise<void> {
  const script = join(ROOT, 'scripts', 'node-image.mjs');
  await outputOf(process.execPath, [script, '--kubernetes', version], {
    env: { CUMULET_DATA_DIR: folder },
    cwd: ROOT,
    limitMs: BUILD_LIMIT_MS,
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
