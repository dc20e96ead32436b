/**
 * The files of OVN's databases. Their contents follow from our rows, so files that are damaged or
 * written by other versions are created anew.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToDaemons, type OvnFolder } from './host-settings.js';
import type { DatabaseName } from './ovn-programs.js';
import { run } from './switch-namespace.js';

/** The base names of a database's file and socket. */
export const DATABASES: Readonly<Record<DatabaseName, string>> = {
  northbound: 'nb',
  southbound: 'sb',
  switch: 'switch',
};

/** @param names databases whose servers are not running */
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
 * Whether a database file is complete: before each record is a header with its length and SHA-1,
 * and the first record is the schema. Public source: ovsdb(5), "File Formats".
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
  await giveToDaemons(folder, path);
  // ovsdb-tool creates it as this user.
  await rm(join(folder, `.${DATABASES[name]}.db.~lock~`), { force: true });
}
