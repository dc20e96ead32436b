import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { openDataFolder } from './data-folder.js';

describe('the data folder', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is created for the current user only', async () => {
    const folder = await openDataFolder(join(parent, 'deep', '.cumulet'));

    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    folder.release();
  });

  it('is refused with one line that names its owner while it is in use', async () => {
    const folder = await openDataFolder(parent);

    await expect(openDataFolder(parent)).rejects.toThrow(
      `The data folder ${parent} is in use by another Cumulet (pid ${process.pid}): ` +
        `stop that one, or give this one a folder of its own`,
    );
    folder.release();
  });

  it('is available again once released', async () => {
    (await openDataFolder(parent)).release();

    const again = await openDataFolder(parent);

    expect(again.path).toBe(parent);
    again.release();
  });

  it('is refused if it is a file', async () => {
    const path = join(parent, 'file');
    await writeFile(path, '');

    await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be used`);
  });
});
