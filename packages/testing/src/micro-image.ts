/** The guest image `micro` of apps/standalone: a whole Linux. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SOURCE = fileURLToPath(new URL('../../../apps/standalone/guest-image/', import.meta.url));
/** The first run builds it. */
export const MICRO_BUILD_TIMEOUT_MS = 240_000;

/** Built from the present sources, and kept between runs. @returns its path */
export async function builtMicro(): Promise<string> {
  const entries = await readdir(SOURCE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const hash = createHash('sha256');
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    hash.update(relative(SOURCE, file)).update(await readFile(file));
  }
  const image = join(tmpdir(), `cumulet-test-micro-${hash.digest('hex').slice(0, 16)}.qcow2`);
  const build = join(SOURCE, 'build.sh');
  await access(image).catch(() => promisify(execFile)('bash', [build, image]));
  return image;
}
