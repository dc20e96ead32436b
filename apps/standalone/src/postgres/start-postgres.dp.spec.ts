import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type DataFolder, openDataFolder } from '../data-folder.js';
import { StartupError } from '../startup-error.js';
import { startPostgres } from './start-postgres.js';

const log = (): void => undefined;

describe("the cloud's database", () => {
  let dataFolder: DataFolder;
  beforeEach(async () => {
    dataFolder = await openDataFolder(await mkdtemp(join(tmpdir(), 'cumulet-test-')));
  });
  afterEach(async () => {
    dataFolder.release();
    await rm(dataFolder.path, { recursive: true, force: true });
  });

  it('contains several databases, each with its own URL', async () => {
    const server = await startPostgres({ dataFolder, log });

    await server.ensureDatabases(['compute']);

    expect(server.url('compute')).toMatch(/^postgres:\/\/cumulet:\S+@127\.0\.0\.1:\d+\/compute$/);
    await server.stop();
  });

  it('that is damaged fails the start with one line that names its folder', async () => {
    const server = await startPostgres({ dataFolder, log });
    await server.stop();
    await rm(join(dataFolder.path, 'postgres', 'data', 'PG_VERSION'));

    const start = startPostgres({ dataFolder, log });

    await expect(start).rejects.toThrow(StartupError);
    await expect(start).rejects.toThrow(
      `The database in ${dataFolder.path}/postgres is damaged: data/PG_VERSION is missing. ` +
        `Restore the folder from a backup, or move it away to start with an empty one`,
    );
  });
});
