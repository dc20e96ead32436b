/** What one file of a run makes and all of them use: in the folder of the run, which goes at its end. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.js';

const LIMIT_MS = 300_000;

/**
 * Makes it, unless it has been made or another file is making it: then it waits for that.
 * @param make fills the folder that it gets
 * @returns the folder
 */
export async function oncePerRun(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const made = pathInRun(name);
  await eventually(name, LIMIT_MS, async () => {
    if (existsSync(made)) return true;
    // Who can make the folder makes what is in it.
    const making = `${made}.new`;
    if (!(await makesFolder(making))) return undefined;
    try {
      // Unless another has just finished.
      if (!existsSync(made)) {
        await make(making);
        await rename(making, made);
      }
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    return true;
  });
  return made;
}

/** @throws Error unless this is a run of Jest with its global setup */
export function pathInRun(name: string): string {
  const folder = process.env['CUMULET_TEST_FOLDERS'];
  if (!folder) throw new Error('CUMULET_TEST_FOLDERS is not set');
  return join(folder, name);
}

/** @returns whether it was not there */
async function makesFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
