/** Messages contain no path and no query, which may be secret. */
import { DomainError, invalid } from '@cumulet/common/errors/domain-error';

export class DownloadRefusedError extends invalid(
  (reason: string) => `The URI of the import cannot be used. ${reason}`,
) {}

/** The message does not reveal whether the host is forbidden or unknown. */
export class HostRefusedError extends DownloadRefusedError {
  constructor(host: string) {
    super(`Its host ${host} has no address that images may be downloaded from.`);
  }
}

export class DownloadFailedError extends DomainError {
  /** @param what completes `The download from <host> …` */
  constructor(host: string, what: string, cause?: unknown) {
    super('invalid', `The download from ${host} ${what}.`, { cause });
  }
}

/** By the error codes of undici and Node. */
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

/** Explains a failure to the client. @param silenceSeconds the timeout of a silent server */
export function downloadFailure(error: unknown, host: string, silenceSeconds: number): unknown {
  if (error instanceof DomainError) return error;
  const code = codeOf(error);
  const reason = SILENCE.includes(code)
    ? `it sent nothing for ${silenceSeconds} seconds`
    : (REASONS[code] ?? 'what it sent could not be read');
  return new DownloadFailedError(host, `broke off: ${reason}`, error);
}

/** If several addresses were tried, the last failure counts. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const last: unknown = Array.isArray(errors) ? errors.at(-1) : undefined;
  return last === undefined ? '' : codeOf(last);
}
