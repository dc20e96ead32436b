/**
 * The secrets of a cloud of several processes: a folder with a file for each, named after the setting
 * whose value it holds. Each is drawn once, unless the environment names its first value.
 *
 * Always holds: a file that is there is never changed, since other things are sealed with it.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '@cumulet/common/app/define-service';
import { createDurably } from '@cumulet/common/files/durable-file';
import type { Environment } from '../config.js';
import { keysOf } from '../secrets.js';

/** Password of Postgres' own administrator, as its image names it. */
export const DATABASE_ADMIN = 'POSTGRES_PASSWORD';

export interface SecretFile {
  /** The setting that it becomes. */
  readonly name: string;
  readonly draw: () => string;
}

/** Safe in URLs. */
const password = (bytes: number) => (): string => randomBytes(bytes).toString('base64url');
const key = (): string => randomBytes(32).toString('hex');

/** @param databaseHost host, or host:port, of the Postgres of all services */
export function secretFiles(services: readonly Service[], databaseHost: string): SecretFile[] {
  const urls = services.map(({ name, settings }) => ({
    name: settings.databaseUrl.env,
    draw: () => `postgres://${name}:${password(24)()}@${databaseHost}/${name}`,
  }));
  return [
    { name: DATABASE_ADMIN, draw: password(24) },
    { name: 'CUMULET_SERVICE_PASSWORD', draw: password(32) },
    { name: 'IDENTITY_ADMIN_PASSWORD', draw: password(12) },
    { name: 'IDENTITY_DEMO_PASSWORD', draw: password(12) },
    ...keysOf(services).map(({ env }) => ({ name: env, draw: key })),
    ...urls,
  ];
}

/**
 * Draws what lacks.
 * @param env the first values of secrets that somebody has chosen
 * @returns the names of those that are new
 */
export async function drawSecretFiles(
  folder: string,
  files: readonly SecretFile[],
  env: Environment,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const drawn: string[] = [];
  for (const { name, draw } of files) {
    const path = join(folder, name);
    try {
      await createDurably(path, env[name] || draw());
      drawn.push(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // The volume is the border: the processes that mount it have users of their own.
    await chmod(path, 0o444);
  }
  return drawn;
}

/** @throws Error naming the file, if it cannot be read */
export async function readSecretFile(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`The secret ${path} cannot be read (${code}): draw secrets first`);
  });
  return text.trim();
}
