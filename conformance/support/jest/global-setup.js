/** Where data folders are kept for the length of the run: see started-folders.ts. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function setup() {
  process.env.CUMULET_TEST_FOLDERS = await mkdtemp(join(tmpdir(), 'cumulet-folders-'));
}
