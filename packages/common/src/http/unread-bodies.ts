import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { UnsupportedOperation } from './unsupported-operations.js';

/** Matches any media type that such a body has: it is read and discarded. */
const UNREAD = 'application/x-unread';

/** Whether part of the body has not arrived yet. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const isSent =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return isSent && !complete;
}

/** Operations that are not offered ignore their bodies, which may be forms or XML. */
export function leaveBodiesUnread(
  fastify: FastifyInstance,
  operations: readonly UnsupportedOperation[],
): void {
  const routes = new Set(
    operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  fastify.addContentTypeParser(UNREAD, { parseAs: 'buffer' }, (_request, _body, done) =>
    done(null, undefined),
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routes.has(`${request.method} ${request.routeOptions.url}`))
      request.raw.headers['content-type'] = UNREAD;
    done();
  });
}

/** Requests whose client has not been told to continue. */
const untold = new WeakSet<IncomingMessage>();

/** By default Node sends 100 Continue before anyone has seen the request. */
export function continueOnRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    tellOnRead(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Whether the client waits for 100 Continue. */
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
