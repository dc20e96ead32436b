import { HypervisorError } from '@cumulet/compute/hypervisor/hypervisor-error';
import type { StandaloneConfig } from './config.js';

/**
 * Why the cloud did not come up. The message is one line for the person at the terminal: it names
 * the folder, port or program and says what to do. `main.ts` prints it alone and exits with 1; any
 * other error is a bug, and is printed with its stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

type ListenFailure = NodeJS.ErrnoException & { readonly port?: number };

/** What a person can mend is a line of its own; any other error is returned as it is. */
export function asStartupError(
  error: unknown,
  { port, listenHost }: Pick<StandaloneConfig, 'port' | 'listenHost'>,
): unknown {
  const line =
    error instanceof HypervisorError
      ? error.message
      : listenFailure(error as ListenFailure, port, listenHost);
  return line === undefined ? error : new StartupError(line, { cause: error });
}

function listenFailure(error: ListenFailure, port: number, host: string): string | undefined {
  const listener = error.port ?? port;
  switch (`${error.syscall ?? ''} ${error.code ?? ''}`) {
    case 'listen EADDRINUSE':
      return `Port ${listener} is in use: stop what listens there, or choose another with CUMULET_PORT`;
    case 'listen EACCES':
      return `Port ${listener} is not open to this user: choose another with CUMULET_PORT`;
    case 'listen EADDRNOTAVAIL':
    case 'getaddrinfo ENOTFOUND':
      return `CUMULET_LISTEN_HOST must be an address of this machine; "${host}" is not`;
    default:
      return undefined;
  }
}
