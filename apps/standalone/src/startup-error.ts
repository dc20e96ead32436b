import { join, resolve } from 'node:path';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { HypervisorError } from '@cumulet/compute/hypervisor/hypervisor-error';
import type { Setting } from '@cumulet/common/config/settings';
import type { Service } from '@cumulet/common/app/define-service';
import type { Environment } from './config.js';

/**
 * Why the cloud did not come up. The message is one line for the person at the terminal: it names
 * the folder, port or program and says what to do. `main.ts` prints it alone and exits with 1; any
 * other error is a bug, and is printed with its stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

type PathError = NodeJS.ErrnoException & { readonly path: string; readonly dest?: string };

/**
 * Turns what a person can fix into a line; returns any other error unchanged.
 * @param env names the setting of an unusable folder, if a person has chosen it
 * @param services whose settings name folders; those that have been loaded
 */
export function asStartupError(
  error: unknown,
  env: Environment,
  services: readonly Service[],
): unknown {
  if (error instanceof StartupError) return error;
  const line = lineOf(error, chosenFolders(env, services));
  return line === undefined ? error : new StartupError(line, { cause: error });
}

/** `[['IMAGES_STORE_FOLDER', '/mnt/images']]` */
function chosenFolders(env: Environment, services: readonly Service[]): [string, string][] {
  return services
    .flatMap(({ settings }) => Object.values<Setting<unknown>>(settings))
    .flatMap(({ env: name, folder }) => (folder && env[name] ? [[name, env[name]]] : []));
}

function lineOf(error: unknown, folders: readonly [string, string][]): string | undefined {
  const pathError = pathErrorIn(error);
  if (pathError !== undefined) return pathLine(pathError, folders);
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

function pathLine(
  { path, dest, message }: PathError,
  folders: readonly [string, string][],
): string {
  const place = resolve(dest ?? path);
  const chosen = folders.find(([, folder]) => isWithin(place, resolve(folder)));
  if (!chosen) return `${place} cannot be used: ${message}`;
  const [setting, folder] = chosen;
  return `The folder ${folder} cannot be used: ${message}; choose another with ${setting}`;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, '/'));
}
