import { join, resolve } from 'node:path';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { HypervisorError } from '@cumulet/compute/hypervisor/hypervisor-error';
import type { Environment } from './config.js';

/**
 * Why the cloud did not come up. The message is one line for the person at the terminal: it names
 * the folder, port or program and says what to do. `main.ts` prints it alone and exits with 1; any
 * other error is a bug, and is printed with its stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Settings of the services that name a folder. */
const FOLDERS = ['IMAGES_STORE_FOLDER', 'IMAGES_IMPORT_FOLDER', 'COMPUTE_DATA_DIR'] as const;

type PathError = NodeJS.ErrnoException & { readonly path: string; readonly dest?: string };

/**
 * Turns what a person can fix into a line; returns any other error unchanged.
 * @param env names the setting of an unusable folder, if a person has chosen it
 */
export function asStartupError(error: unknown, env: Environment): unknown {
  if (error instanceof StartupError) return error;
  const line = lineOf(error, env);
  return line === undefined ? error : new StartupError(line, { cause: error });
}

function lineOf(error: unknown, env: Environment): string | undefined {
  const pathError = pathErrorIn(error);
  if (pathError !== undefined) return pathLine(pathError, env);
  const known = error instanceof DomainError || error instanceof HypervisorError;
  return known ? error.message.trim().replace(/\s*\n\s*/g, ' ') : undefined;
}

/** The system's own error for a file or folder, which services' errors keep as their cause. */
function pathErrorIn(error: unknown): PathError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { syscall, path } = each as Partial<PathError>;
    if (typeof syscall === 'string' && typeof path === 'string') return each as PathError;
  }
  return undefined;
}

function pathLine({ path, dest, message }: PathError, env: Environment): string {
  const place = resolve(dest ?? path);
  const setting = FOLDERS.find((name) => env[name] && isWithin(place, resolve(env[name])));
  return setting === undefined
    ? `${place} cannot be used: ${message}`
    : `The folder ${env[setting] ?? ''} cannot be used: ${message}; choose another with ${setting}`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'));
}
