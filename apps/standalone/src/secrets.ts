/** Secrets of the cloud that nobody has to choose: drawn once, kept in a file that its user alone reads. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@cumulet/common/files/durable-file';
import type { StandaloneConfig } from './config.js';
import { StartupError } from './startup-error.js';

export interface Secrets {
  readonly adminPassword: string;
  /** Empty without a user demo. */
  readonly demoPassword: string;
  readonly servicePassword: string;
  /** Each 32 bytes in hexadecimal. */
  readonly identityKey: string;
  readonly computeKey: string;
}

const NAMES: readonly (keyof Secrets)[] = [
  'adminPassword',
  'demoPassword',
  'servicePassword',
  'identityKey',
  'computeKey',
];

/** What a person gives overrides what was generated, wherever it is used. */
export function chosenSecrets(
  drawn: Secrets,
  { adminPassword, demoPassword }: Pick<StandaloneConfig, 'adminPassword' | 'demoPassword'>,
): Secrets {
  return {
    ...drawn,
    adminPassword: adminPassword ?? drawn.adminPassword,
    demoPassword: demoPassword ?? drawn.demoPassword,
  };
}

/**
 * @param folder the data folder
 * @throws StartupError when the file is malformed, or is missing beside a database
 */
export async function readSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupError(`The secrets in ${path} cannot be read: ${(error as Error).message}`);
  });
  if (text === undefined) {
    if (await hasDatabase(folder)) throw new StartupError(missing(path, folder));
    return drawSecrets(path);
  }
  const secrets = parsed(text);
  if (secrets) return secrets;
  throw new StartupError(
    `${path} is damaged: put it back from a backup, or remove the data folder ${folder} to begin anew`,
  );
}

/** The database is sealed with the secrets of an earlier start. */
async function hasDatabase(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, 'postgres')).catch(() => []);
  return names.length > 0;
}

function missing(path: string, folder: string): string {
  return (
    `${path} is missing, and the database beside it cannot be used without: ` +
    `put it back from a backup, or remove the data folder ${folder} to begin anew`
  );
}

function parsed(text: string): Secrets | undefined {
  try {
    const values = JSON.parse(text) as Partial<Record<string, unknown>>;
    return NAMES.every((name) => typeof values[name] === 'string')
      ? (values as unknown as Secrets)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Written atomically: without it, nothing that was sealed can be opened again. */
async function drawSecrets(path: string): Promise<Secrets> {
  const secrets: Secrets = {
    adminPassword: randomBytes(12).toString('base64url'),
    demoPassword: randomBytes(12).toString('base64url'),
    servicePassword: randomBytes(32).toString('base64url'),
    identityKey: randomBytes(32).toString('hex'),
    computeKey: randomBytes(32).toString('hex'),
  };
  await writeDurably(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}
