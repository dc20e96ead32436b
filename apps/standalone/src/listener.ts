/** Listening addresses of the cloud and its services, and why one cannot be used. */
import { isIPv6 } from 'node:net';
import { StartupError } from './startup-error.js';

export interface Listener {
  /** The prefix of its settings: `CUMULET` for `CUMULET_PORT` and `CUMULET_LISTEN_HOST`. */
  readonly prefix: string;
  readonly listenHost: string;
  readonly port: number;
}

/** The address to reach instead of a wildcard address. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address at which this machine reaches the listener. */
export function localUrl(listenHost: string, port: number): string {
  const host = LOOPBACK[listenHost] ?? listenHost;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** @throws StartupError naming the setting if `start` cannot listen; other errors unchanged */
export async function listening<T>(listener: Listener, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const line = listenFailure(error as ListenFailure, listener);
    throw line === undefined ? error : new StartupError(line, { cause: error });
  }
}

type ListenFailure = NodeJS.ErrnoException & { readonly port?: number; readonly hostname?: string };

function listenFailure(
  error: ListenFailure,
  { prefix, listenHost, port }: Listener,
): string | undefined {
  const listener = error.port ?? port;
  switch (`${error.syscall ?? ''} ${error.code ?? ''}`) {
    case 'listen EADDRINUSE':
      return `Port ${listener} is in use: stop what listens there, or choose another with ${prefix}_PORT`;
    case 'listen EACCES':
      return `Port ${listener} is not open to this user: choose another with ${prefix}_PORT`;
    case 'listen EADDRNOTAVAIL':
    case 'getaddrinfo ENOTFOUND':
      // Any other failed look-up during the start is not about its own address.
      if (error.hostname !== undefined && error.hostname !== listenHost) return undefined;
      return `${prefix}_LISTEN_HOST must be an address of this machine; "${listenHost}" is not`;
    default:
      return undefined;
  }
}
