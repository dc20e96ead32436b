import 'reflect-metadata';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SettingError } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/app/define-service';
import { chosenSecrets, readSecrets, withKeys } from './secrets.js';
import { SERVICES } from './services.js';
import { StartupError } from './startup-error.js';

describe('the secrets', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
    path = join(folder, 'secrets.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are generated once, for the current user only', async () => {
    // Where a volume is mounted, the folder of the database is there before the database is.
    await mkdir(join(folder, 'postgres'));
    const drawn = await readSecrets(folder);
    expect(await readSecrets(folder)).toEqual(drawn);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are not generated again for an existing database', async () => {
    await mkdir(join(folder, 'postgres', 'data'), { recursive: true });
    await expect(readSecrets(folder)).rejects.toEqual(
      new StartupError(
        `${path} is missing, and the database beside it cannot be used without: ` +
          `put it back from a backup, or remove the data folder ${folder} to begin anew`,
      ),
    );
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('that are damaged fail the start with one line', async () => {
    await writeFile(path, '{}');
    await expect(readSecrets(folder)).rejects.toThrow(`${path} is damaged`);
  });

  it('include a key for each service, even one that is added later', async () => {
    const [identity, ...sisters] = SERVICES;
    const first = await withKeys(await readSecrets(folder), folder, [identity as Service], {});
    expect(Object.keys(first)).toContain('identityKey');
    const all = await withKeys(await readSecrets(folder), folder, SERVICES, {});
    const key = expect.stringMatching(/^[0-9a-f]{64}$/);
    const keys = {
      computeKey: key,
      networkKey: key,
      secretsKey: key,
      orchestrationKey: key,
      clustersKey: key,
      s3Key: key,
    };
    expect(all).toEqual({ ...first, ...keys });
    expect(await readSecrets(folder)).toEqual(all);
    expect(await withKeys(all, folder, sisters, {})).toBe(all);
  });

  const keys = [
    'IDENTITY_SECRET_KEY',
    'COMPUTE_SECRET_KEY',
    'SECRETS_SECRET_KEY',
    'CUMULET_METADATA_SECRET',
    'CUMULET_METADATA_SECRET_FILE',
  ];
  it.each(keys)('are not read from %s', async (name) => {
    const drawn = await readSecrets(folder);
    await expect(withKeys(drawn, folder, SERVICES, { [name]: 'hunter2' })).rejects.toEqual(
      new SettingError(
        `${name} is not a setting of the standalone cloud: secrets.json in the data folder holds it`,
      ),
    );
  });

  it.each([
    [undefined, undefined, 'drawn a', 'drawn d'],
    ['chosen a', 'chosen d', 'chosen a', 'chosen d'],
    [undefined, '', 'drawn a', ''],
  ])('are overridden by the passwords %j and %j', (adminPassword, demoPassword, admin, demo) => {
    const drawn = {
      adminPassword: 'drawn a',
      demoPassword: 'drawn d',
      servicePassword: 'drawn s',
      identityKey: 'drawn i',
      computeKey: 'drawn c',
    };
    expect(chosenSecrets(drawn, { adminPassword, demoPassword })).toEqual({
      ...drawn,
      adminPassword: admin,
      demoPassword: demo,
    });
  });
});
