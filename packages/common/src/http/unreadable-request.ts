/** A request that Node could not parse is answered like any other error, and disconnected. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from './error-envelope.js';
import { newRequestId, requestIdHeaders } from './request-id.js';

const REASONS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The address and the headers of the request are too long together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time.',
  },
};

const MALFORMED = { status: 400, message: 'The request is not well-formed HTTP.' };

/**
 * For a server's `clientError`.
 * @param alias a service's own request id header
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  envelope: ErrorEnvelope,
  alias?: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = REASONS[error.code ?? ''] ?? MALFORMED;
  const requestId = newRequestId();
  const title = STATUS_CODES[status] ?? 'Error';
  const type = title.replaceAll(' ', '');
  const body = JSON.stringify(
    envelope({ status, title, message, type, requestId, retryAfter: undefined }),
  );
  const headers = {
    ...requestIdHeaders(requestId, alias),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'));
}
