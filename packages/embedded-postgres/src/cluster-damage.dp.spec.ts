import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type ClusterFolders, createClusterFolders, query } from './cluster.fixture.js';
import { ClusterError } from './cluster-error.js';

describe('a damaged cluster', () => {
  let folders: ClusterFolders;
  beforeAll(async () => {
    folders = await createClusterFolders();
  });
  afterAll(() => folders.removeAll());

  /** Damages a sound cluster; its start must then fail with one line that names folder and cure. */
  async function failureAfter(damage: (folder: string) => Promise<unknown>): Promise<string> {
    const folder = folders.withCluster();
    await damage(folder);
    const error = await folders.start(folder).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ClusterError);
    const { message } = error as ClusterError;
    expect(message).toContain(folder);
    expect(message).toContain('move');
    expect(message).not.toContain('\n');
    return message;
  }

  it('without its version file is refused', async () => {
    const message = await failureAfter((folder) => rm(join(folder, 'data', 'PG_VERSION')));

    expect(message).toContain('data/PG_VERSION is missing');
  });

  it('with garbage for a version is refused', async () => {
    const message = await failureAfter((folder) =>
      writeFile(join(folder, 'data', 'PG_VERSION'), '\u0000\u0001garbage'),
    );

    expect(message).toContain('data/PG_VERSION names no version');
  });

  it('of another major version is refused, with both named', async () => {
    const message = await failureAfter((folder) =>
      writeFile(join(folder, 'data', 'PG_VERSION'), '12\n'),
    );

    expect(message).toMatch(/written by Postgres 12 and this is Postgres \d+/);
  });

  it('without its password is refused', async () => {
    const message = await failureAfter((folder) => truncate(join(folder, 'password')));

    expect(message).toContain('password is empty');
  });

  it('without its data is refused', async () => {
    const message = await failureAfter((folder) => rm(join(folder, 'data'), { recursive: true }));

    expect(message).toContain('data/PG_VERSION is missing');
  });

  it("that its server cannot read is refused with the server's message", async () => {
    const message = await failureAfter((folder) =>
      writeFile(join(folder, 'data', 'global', 'pg_control'), 'garbage'),
    );

    expect(message).toMatch(/^Postgres does not start from .*: could not read file/);
  });

  it('whose folder is a file is refused', async () => {
    const message = await failureAfter(async (folder) => {
      await rm(folder, { recursive: true });
      await writeFile(folder, '');
    });

    expect(message).toContain('is not a folder');
  });

  it('is not confused with an empty folder, such as a new volume', async () => {
    const folder = folders.empty();
    await mkdir(folder, { recursive: true });

    const { cluster } = await folders.start(folder);

    expect(await query(cluster.url('postgres'), 'SELECT 1')).toEqual(['1']);
  });

  it('may be a link to a folder elsewhere', async () => {
    const folder = folders.withCluster();
    const link = folders.empty();
    await mkdir(dirname(link), { recursive: true });
    await symlink(folder, link);

    const { cluster } = await folders.start(link);

    expect(await query(cluster.url('postgres'), 'SELECT 1')).toEqual(['1']);
  });
});
