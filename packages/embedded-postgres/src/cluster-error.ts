/**
 * Why a cluster could not be opened. The message is one line for a person: it names the folder or
 * program and says what to do. The technical reason, if any, is the `cause`.
 */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/** An error of a system call, which has a code such as `EACCES`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'syscall' in error
  );
}

export function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}
