import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { UnsupportedOperation } from './unsupported-operations.js';

/** Matches any media type that such a body has: it is read and discarded. */
const UNREAD = 'application/x-unread';

/** Whether a request has a body of which some is still to come. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const isSent =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return isSent && !complete;
}

/**
 * Operations that are not offered answer the same whatever they are sent: some are sent forms or
 * XML, which no other operation takes.
 */
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
