/** Reads the acting entry of clouds.yaml. Public source: openstacksdk, "Configuration". */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { CommandError } from '../command-error.js';

/** Scalars stay the strings that were written: a password 012 is not a number. */
export type Mapping = Readonly<Partial<Record<string, unknown>>>;

export interface FoundEntry {
  readonly path: string;
  readonly fields: Mapping;
}

/**
 * Looks the entry up in these files, in order; missing files are skipped.
 * @throws CommandError if none has it
 */
export async function findEntry(name: string, paths: readonly string[]): Promise<FoundEntry> {
  const read: string[] = [];
  for (const path of paths) {
    const text = await contentOf(path);
    if (text === undefined) continue;
    const fields = entriesOf(text, path)[name];
    if (fields !== undefined) return { path, fields: asMapping(fields) };
    read.push(path);
  }
  throw new CommandError(
    read.length === 0
      ? `There is no clouds.yaml to find the entry ${name} in (${paths.join(', ')})`
      : `${read.join(', ')}: there is no entry ${name}`,
  );
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError(`${path} cannot be read: ${String(code)}`);
  }
}

/**
 * The entries of a document, by name.
 * @throws CommandError that reveals nothing of the content, which holds passwords
 */
export function entriesOf(text: string, path: string): Mapping {
  return asMapping(asMapping(parsed(text, path))['clouds']);
}

function parsed(text: string, path: string): unknown {
  try {
    return parse(text, { schema: 'failsafe', merge: true, logLevel: 'error' });
  } catch (error) {
    const [at] = (error as { linePos?: readonly { line: number }[] }).linePos ?? [];
    throw new CommandError(`${path} is not YAML${at ? `: see line ${at.line}` : ''}`);
  }
}

/** Anything but a mapping has no fields. */
export function asMapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Mapping)
    : {};
}
