/** The acting user: from an entry of clouds.yaml, or from environment variables. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { ADMIN_ENTRY } from '../../cloud-users.js';
import { cloudsYamlPath } from '../../clouds-yaml.js';
import { CommandError } from '../command-error.js';
import { AUTH_FIELDS, type AuthFields, type CliConfig } from '../config.js';

export interface Actor {
  /** For messages: `the entry cumulet-admin of /…/clouds.yaml`. */
  readonly from: string;
  /** Identity's address, without /v3. */
  readonly identityUrl: string;
  readonly authType: string | undefined;
  readonly auth: AuthFields;
  readonly region: string | undefined;
}

/** @param named the entry that --cloud names. @throws CommandError if there is none */
export async function findActor(config: CliConfig, named: string | undefined): Promise<Actor> {
  const name = named ?? config.cloud;
  if (name !== undefined) return ofEntry(name, await findEntry(name, searchPath(config)));
  if (config.authUrl !== undefined) return ofEnvironment(config, config.authUrl);
  return ofEntry(ADMIN_ENTRY, await findAdministrator(config));
}

/** The standalone cloud's own file comes last: it applies if nothing else is configured. */
function searchPath({ cloudsFile, dataDir }: CliConfig): string[] {
  if (cloudsFile !== undefined) return [cloudsFile];
  const folders = ['.', join(homedir(), '.config', 'openstack'), '/etc/openstack', dataDir];
  return folders.map(cloudsYamlPath);
}

async function findAdministrator({ dataDir }: CliConfig): Promise<FoundEntry> {
  const path = cloudsYamlPath(dataDir);
  try {
    return await findEntry(ADMIN_ENTRY, [path]);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      `${error.message}: start the cloud first, or say who acts (--cloud, OS_CLOUD or OS_AUTH_URL)`,
    );
  }
}

function ofEntry(name: string, { path, fields }: FoundEntry): Actor {
  const auth = asMapping(fields['auth']);
  const from = `the entry ${name} of ${path}`;
  const url = textOf(auth['auth_url']);
  if (url === undefined || !URL.canParse(url)) throw new CommandError(`${from} has no auth_url`);
  const known = AUTH_FIELDS.map((field) => [field, textOf(auth[field])] as const);
  return {
    from,
    identityUrl: withoutVersion(url),
    authType: textOf(fields['auth_type']),
    auth: Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    region: textOf(fields['region_name']),
  };
}

function ofEnvironment({ authType, auth, region }: CliConfig, authUrl: string): Actor {
  return { from: 'OS_AUTH_URL', identityUrl: withoutVersion(authUrl), authType, auth, region };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Entries may include the version or not. */
function withoutVersion(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v3$/, '');
}

/** Scalars stay the strings that were written: a password 012 is not a number. */
type Mapping = Readonly<Partial<Record<string, unknown>>>;

interface FoundEntry {
  readonly path: string;
  readonly fields: Mapping;
}

/**
 * Looks the entry up in these files, in order; missing files are skipped.
 * @throws CommandError if none has it
 */
async function findEntry(name: string, paths: readonly string[]): Promise<FoundEntry> {
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
function asMapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Mapping)
    : {};
}
