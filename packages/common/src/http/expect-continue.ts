/**
 * `Expect: 100-continue`: the client sends its body only once the server asks for it.
 *
 * Always holds: the server asks when something begins to read the body. A request refused before
 * that gets its final status alone, and Node then closes the connection, because the next bytes may
 * be the body or another request. Any other expectation is ignored, as nothing here depends on one.
 * Public source: RFC 9110, 10.1.1.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose client has not been told to continue. */
const untold = new WeakSet<IncomingMessage>();

/** By default Node tells every client to continue before anyone has seen the request. */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    tellOnRead(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Whether the client sends no body until someone reads it. */
export function isHeldBack(request: IncomingMessage): boolean {
  return untold.has(request) && request.readableLength === 0;
}

function tellOnRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request.read.bind(request);
  untold.add(request);
  request.read = (size?: number): unknown => {
    request.read = read;
    // Node reads the rest once it has answered; a body sent unasked needs no 100.
    if (!response.headersSent && isHeldBack(request)) response.writeContinue();
    untold.delete(request);
    return read(size);
  };
}
