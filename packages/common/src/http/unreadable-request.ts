/** Answers requests that Node could not parse or refuses, like any other error. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from './error-envelope.js';
import { newRequestId, requestIdHeaders, type RequestIdAlias } from '../context/request-id.js';

const REASONS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The address and headers of the request are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time.',
  },
};

/** Time for the client to read the answer: a reset would discard it. */
const LINGER_MS = 2_000;

const MALFORMED = { status: 400, message: 'The request is not well-formed HTTP.' };

/**
 * For a server's `clientError`. The client is disconnected.
 * @param alias a service's own names of the request id header
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  envelope: ErrorEnvelope,
  alias?: RequestIdAlias,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = REASONS[error.code ?? ''] ?? MALFORMED;
  refuseOutright(socket, { status, message }, envelope, alias);
}

/** Answers on a connection that no server reads any longer, and ends it. */
export function refuseOutright(
  socket: Socket,
  { status, message }: { readonly status: number; readonly message: string },
  envelope: ErrorEnvelope,
  alias?: RequestIdAlias,
  more: Readonly<Record<string, string>> = {},
): void {
  const { headers, body } = refusal(status, message, envelope, alias);
  const lines = Object.entries({ Connection: 'close', ...headers, ...more });
  const head = [`HTTP/1.1 ${status} ${titleOf(status)}`, ...lines.map((line) => line.join(': '))];
  socket.end([...head, '', body].join('\r\n'));
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

/** An error's body and headers, where no framework writes them. */
function refusal(status: number, message: string, envelope: ErrorEnvelope, alias?: RequestIdAlias) {
  const requestId = newRequestId();
  const title = titleOf(status);
  const type = title.replaceAll(' ', '');
  const written = envelope({ status, title, message, type, requestId, retryAfter: undefined });
  const isText = typeof written === 'string';
  const body = isText ? written : JSON.stringify(written);
  return {
    body,
    headers: {
      ...requestIdHeaders(requestId, alias),
      // Text is XML.
      'Content-Type': isText ? 'application/xml' : 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
    },
  };
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}
