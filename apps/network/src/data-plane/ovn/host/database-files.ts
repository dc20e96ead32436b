/**
 * The files of OVN's databases. All in them follows from rows, so one that other programs have made,
 * or that is damaged, is made anew.
 */
import { createHash } from 'node:crypto';
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

/** @param names of databases whose servers do not run */
export async function ensureDatabases(
  options: OvnFolder,
  names: readonly DatabaseName[],
): Promise<void> {
  const wanted = JSON.stringify(options.programs.versions);
  await Promise.all(
    names.map(async (name) => {
      const path = join(options.folder, DATABASES[name]);
      const maker = await readFile(`${path}.programs`, 'utf8').catch(() => '');
      if (maker === wanted && (await isWhole(`${path}.db`))) return;
      await createDatabase(options, name);
      await writeFile(`${path}.programs`, wanted);
    }),
  );
}

async function isWhole(path: string): Promise<boolean> {
  return readFile(path).then(isWholeLog, () => false);
}

const HEADER = /^OVSDB JSON (\d+) ([0-9a-f]{40})\n/;
const HEADER_BYTES = 80;

/**
 * Whether a database's file has all that was written to it: a header with length and SHA-1 before
 * each record, of which the first is the schema. Public source: ovsdb(5), "File Formats".
 */
export function isWholeLog(file: Buffer): boolean {
  let at = 0;
  while (at < file.length) {
    const header = HEADER.exec(file.toString('latin1', at, at + HEADER_BYTES));
    const [line, bytes, sum] = header ?? [];
    if (line === undefined) return false;
    const record = file.subarray(at + line.length, at + line.length + Number(bytes));
    if (createHash('sha1').update(record).digest('hex') !== sum) return false;
    at += line.length + record.length;
  }
  return at > 0;
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
