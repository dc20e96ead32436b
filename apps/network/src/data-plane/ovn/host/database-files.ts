/**
 * The files of OVN's databases. All in them follows from rows, so one that other programs have made
 * is made anew.
 */
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountOf, type OvnFolder } from './host-settings.js';
import type { DatabaseName } from './ovn-programs.js';
import { run } from './switch-namespace.js';

/** What a database's files and sockets are called. */
export const DATABASES: Readonly<Record<DatabaseName, string>> = {
  northbound: 'nb',
  southbound: 'sb',
  switch: 'switch',
};

export async function ensureDatabases(
  options: OvnFolder,
  names: readonly DatabaseName[],
): Promise<void> {
  const wanted = JSON.stringify(options.programs.versions);
  await Promise.all(
    names.map(async (name) => {
      const mark = join(options.folder, `${DATABASES[name]}.programs`);
      if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return;
      await createDatabase(options, name);
      await writeFile(mark, wanted);
    }),
  );
}

async function createDatabase({ folder, programs }: OvnFolder, name: DatabaseName): Promise<void> {
  const path = join(folder, `${DATABASES[name]}.db`);
  await rm(path, { force: true });
  const [tool, ...args] = programs.commands['ovsdb-tool'];
  await run(tool, [...args, 'create', path, programs.schemas[name]]);
  await chown(path, accountOf(folder), accountOf(folder));
  // Root's, from the tool.
  await rm(join(folder, `.${DATABASES[name]}.db.~lock~`), { force: true });
}
