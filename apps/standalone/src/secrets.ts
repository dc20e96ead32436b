/**
 * Secrets of the cloud that nobody has to choose: drawn once, kept in a file that its user alone
 * reads. A service that joins later gets its key at the next start.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@cumulet/common/files/durable-file';
import type { Setting } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/app/define-service';
import { refuse, type Environment, type StandaloneConfig } from './config.js';
import { StartupError } from './startup-error.js';

export interface Secrets {
  readonly adminPassword: string;
  /** Empty without a user demo. */
  readonly demoPassword: string;
  readonly servicePassword: string;
  /** `computeKey`, of each service that has one: 32 bytes in hexadecimal. */
  readonly [serviceKey: `${string}Key`]: string;
}

const PASSWORDS = ['adminPassword', 'demoPassword', 'servicePassword'];

/** Settings override generated secrets. */
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
    const isWhole =
      PASSWORDS.every((name) => Object.hasOwn(values, name)) &&
      Object.values(values).every((value) => typeof value === 'string');
    return isWhole ? (values as unknown as Secrets) : undefined;
  } catch {
    return undefined;
  }
}

function drawSecrets(path: string): Promise<Secrets> {
  return keep(path, {
    adminPassword: randomBytes(12).toString('base64url'),
    demoPassword: randomBytes(12).toString('base64url'),
    servicePassword: randomBytes(32).toString('base64url'),
  });
}

/** Written atomically: without it, nothing that was sealed can be opened again. */
async function keep(path: string, secrets: Secrets): Promise<Secrets> {
  await writeDurably(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** The name of a service's key among the secrets, and the setting that it becomes. */
export function keysOf(services: readonly Service[]): { name: `${string}Key`; env: string }[] {
  return services.flatMap(({ name, settings }) =>
    Object.values<Setting<unknown>>(settings)
      .filter(({ isDrawn }) => isDrawn)
      .map(({ env }) => ({ name: `${name}Key` as const, env })),
  );
}

/**
 * The secrets with a key for each service that has one; those that are missing are drawn and kept.
 * @param folder the data folder
 * @throws SettingError where the environment names a key
 */
export async function withKeys(
  secrets: Secrets,
  folder: string,
  services: readonly Service[],
  env: Environment,
): Promise<Secrets> {
  const keys = keysOf(services);
  for (const key of keys) refuse(key.env, env, 'secrets.json in the data folder holds it');
  const missing = keys.filter(({ name }) => secrets[name] === undefined);
  if (missing.length === 0) return secrets;
  const drawn = missing.map(({ name }) => [name, randomBytes(32).toString('hex')]);
  return keep(join(folder, 'secrets.json'), {
    ...secrets,
    ...(Object.fromEntries(drawn) as Record<`${string}Key`, string>),
  });
}
