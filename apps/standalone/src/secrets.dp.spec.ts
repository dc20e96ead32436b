import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chosenSecrets, readSecrets } from './secrets.js';
import { StartupError } from './startup-error.js';

describe('the secrets', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
    path = join(folder, 'secrets.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are drawn once, for this user alone', async () => {
    // Where a volume is mounted, the folder of the database is there before the database is.
    await mkdir(join(folder, 'postgres'));
    const drawn = await readSecrets(folder);
    expect(await readSecrets(folder)).toEqual(drawn);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are not drawn anew beside a database that is there', async () => {
    await mkdir(join(folder, 'postgres', 'data'), { recursive: true });
    await expect(readSecrets(folder)).rejects.toEqual(
      new StartupError(
        `${path} is missing, and the database beside it cannot be used without: ` +
          `put it back from a backup, or remove the data folder ${folder} to begin anew`,
      ),
    );
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('that are damaged end the start with one line', async () => {
    await writeFile(path, '{}');
    await expect(readSecrets(folder)).rejects.toThrow(`${path} is damaged`);
  });

  it.each([
    [undefined, undefined, 'drawn a', 'drawn d'],
    ['chosen a', 'chosen d', 'chosen a', 'chosen d'],
    [undefined, '', 'drawn a', ''],
  ])('give way to the passwords %j and %j', (adminPassword, demoPassword, admin, demo) => {
    const drawn = {
      ...{ adminPassword: 'drawn a', demoPassword: 'drawn d', servicePassword: 'drawn s' },
      ...{ identityKey: 'drawn i', computeKey: 'drawn c' },
    };
    expect(chosenSecrets(drawn, { adminPassword, demoPassword })).toEqual({
      ...drawn,
      adminPassword: admin,
      demoPassword: demo,
    });
  });
});
