/**
 * `Expect: 100-continue`: a client that sends its body once it is told that the body is wanted.
 *
 * Always holds: it is told so when something begins to read the body. What is refused without that
 * is answered with its final status alone, and Node closes the connection after it, as nobody can
 * tell whether the next bytes are the body or another request. Public source: RFC 9110, 10.1.1.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client has not been told to go on. */
const untold = new WeakSet<IncomingMessage>();

/** Node itself would tell every client to go on, before anyone has looked at its request. */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    tellOnRead(request, response);
    server.emit('request', request, response);
  });
}

/** Whether nothing of the body comes before someone reads it. */
export function isHeldBack(request: IncomingMessage): boolean {
  return untold.has(request) && request.readableLength === 0;
}

function tellOnRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request.read.bind(request);
  untold.add(request);
  request.read = (size?: number): unknown => {
    request.read = read;
    // Node reads what is left once it has answered. A body that comes unasked needs no asking.
    if (!response.headersSent && isHeldBack(request)) response.writeContinue();
    untold.delete(request);
    return read(size);
  };
}
