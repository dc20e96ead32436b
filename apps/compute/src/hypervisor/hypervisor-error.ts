/**
 * Errors of all hypervisor drivers. The kind alone tells the caller whether to retry, to try
 * another host or to give up.
 *
 * Always holds: `message` may be shown to the server's owner; paths, host names and program output
 * go into `cause`.
 */

/**
 * - `transient`: the same call may succeed later; the guest and its files are unchanged.
 * - `capacity`: this host lacks memory or disk; another host may do it.
 * - `bad-image`: the image (or the flavor for it) can never make a bootable guest.
 * - `missing-program`: a program that the driver runs is not installed here.
 * - `not-ready`: an earlier step has not been done (image not cached, disk not made, guest not
 * running).
 * - `bug`: the call or the driver is wrong; a retry does not help.
 */
export type HypervisorErrorKind =
  | 'transient'
  | 'capacity'
  | 'bad-image'
  | 'missing-program'
  | 'not-ready'
  | 'bug';

export class HypervisorError extends Error {
  constructor(
    readonly kind: HypervisorErrorKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HypervisorError';
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'ENOMEM', 'EFBIG']);

/**
 * Wraps an error: a full disk is `capacity`, other errors of the operating system are `transient`,
 * an error without a code is a `bug`.
 * @param doing start of the sentence: `The guest's disk could not be made`
 */
export function asHypervisorError(error: unknown, doing: string): HypervisorError {
  if (error instanceof HypervisorError) return error;
  const code = errorCode(error);
  if (code === undefined) return new HypervisorError('bug', `${doing}.`, error);
  if (FULL.has(code)) {
    return new HypervisorError('capacity', `${doing}: the host has no room left.`, error);
  }
  return new HypervisorError('transient', `${doing} (${code}).`, error);
}

/** The operating system's code, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
