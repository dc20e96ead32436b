/** The Debian system of a node, which is built once and kept until its inputs change. */
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run, step } from '../../../../scripts/lib/programs.mjs';
import { DEBIAN, NODE_IMAGE } from './versions.mjs';

/**
 * @param cache folder of kept systems
 * @param fresh whether to rebuild it with current packages
 * @returns the system's folder
 */
export async function debianRoot(cache, { fresh }) {
  const script = join(NODE_IMAGE, 'build', 'root.sh');
  const key = createHash('sha256')
    .update(DEBIAN)
    .update(await readFile(script))
    .digest('hex');
  const folder = join(cache, `debian-${key.slice(0, 12)}`);
  if (fresh || !(await exists(folder)))
    await step(`Installing Debian ${DEBIAN} in a folder`, () =>
      run('bash', [script, folder, DEBIAN]),
    );
  return folder;
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
