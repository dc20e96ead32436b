/** The errors of downloads; none of the messages holds a path or a query. */
import { DomainError, invalid } from '@cumulet/common/errors/domain-error';

/** The URI is not one that images may be downloaded from. */
export class DownloadRefusedError extends invalid(
  (reason: string) => `The URI of the import cannot be used. ${reason}`,
) {}

/** A host whose addresses are not allowed, or that has none: the error never says which. */
export class HostRefusedError extends DownloadRefusedError {
  constructor(host: string) {
    super(`Its host ${host} has no address that images may be downloaded from.`);
  }
}

/**
 * The server did not answer with the data, or the data did not come, came in part, or too slowly.
 */
export class DownloadFailedError extends DomainError {
  /** @param what completes `The download from <host> …` */
  constructor(host: string, what: string, cause?: unknown) {
    super('invalid', `The download from ${host} ${what}.`, { cause });
  }
}

/** By undici's and Node's codes; other codes give no reason worth telling. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'it closed the connection',
  ECONNRESET: 'it closed the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const SILENCE = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/**
 * What a failed request or body means to the client that asked for the download.
 * @param silenceSeconds after which a server that says nothing is given up
 */
export function downloadFailure(error: unknown, host: string, silenceSeconds: number): unknown {
  if (error instanceof DomainError) return error;
  const code = codeOf(error);
  const reason = SILENCE.includes(code)
    ? `it sent nothing for ${silenceSeconds} seconds`
    : (REASONS[code] ?? 'what it sent could not be read');
  return new DownloadFailedError(host, `broke off: ${reason}`, error);
}

/** If several addresses of a host were tried, the last failure stands for all. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const last: unknown = Array.isArray(errors) ? errors.at(-1) : undefined;
  return last === undefined ? '' : codeOf(last);
}
