import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { accountForNewCluster, runsAsRoot } from './account.js';
import { findPrograms, locatePackage } from './postgres-programs.js';

describe("Postgres's programs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cumulet-test-'));
    await chmod(folder, 0o755);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A copy of the package as npm unpacks it, where this user alone may enter. */
  async function installPrivately(): Promise<ReturnType<typeof locatePackage>> {
    const installed = locatePackage();
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    execFileSync('cp', ['-a', installed.native, join(home, 'native')]);
    return { ...installed, native: join(home, 'native') };
  }

  it('are found where npm has installed them', async () => {
    const programs = await findPrograms(await accountForNewCluster());

    expect(Number(programs.majorVersion)).toBeGreaterThanOrEqual(18);
  });

  it('get the symbolic links that their install script would make', async () => {
    const installed = await installPrivately();
    const list = await readFile(join(installed.native, 'pg-symlinks.json'), 'utf8');
    const links = (JSON.parse(list) as { target: string }[]).map(({ target }) =>
      join(installed.native, '..', target),
    );
    await Promise.all(links.map((link) => rm(link, { force: true })));

    await findPrograms(await accountForNewCluster(), {
      installed,
      sharedFolder: join(folder, 'shared'),
    });

    for (const link of links) expect(await readlink(link)).toMatch(/^lib/);
  });

  it('become executable again after unpacking dropped their modes', async () => {
    const installed = await installPrivately();
    await chmod(join(installed.native, 'bin', 'postgres'), 0o644);

    await findPrograms(await accountForNewCluster(), {
      installed,
      sharedFolder: join(folder, 'shared'),
    });

    expect((await lstat(join(installed.native, 'bin', 'postgres'))).mode & 0o111).toBe(0o111);
  });

  if (runsAsRoot()) {
    it('are copied once for an account that cannot reach them', async () => {
      const installed = await installPrivately();
      const sharedFolder = join(folder, 'shared');
      const account = await accountForNewCluster();
      const umask = process.umask(0o077);

      const first = await findPrograms(account, { installed, sharedFolder });
      process.umask(umask);
      const { ino } = await lstat(first.postgres);
      const second = await findPrograms(account, { installed, sharedFolder });

      expect(first.postgres.startsWith(sharedFolder)).toBe(true);
      expect(second).toEqual(first);
      expect((await lstat(second.postgres)).ino).toBe(ino);
    });
  }
});
