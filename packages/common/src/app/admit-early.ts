/**
 * Judges a request with a body by its headers, before any of the body is read: whoever is refused
 * has not been listened to, and learns it at once.
 */
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/route-table.js';
import { hasUnreadBody } from '../http/unread-bodies.js';
import type { Access } from '../auth/access.js';
import type { TokenGuard } from '../auth/token.guard.js';

/**
 * Call it once all other hooks are added, and before there are routes.
 * @param guard judges now, and does not judge again before the handler
 */
export function admitEarly(
  fastify: FastifyInstance,
  guard: TokenGuard,
  routes: readonly Route[],
): void {
  const rules = new Map<string, Access>(
    routes
      .filter(({ access }) => access.kind !== 'public')
      .map(({ method, path, access }) => [keyOf(method, path), access]),
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    const access = hasUnreadBody(request.raw)
      ? rules.get(`${request.method} ${request.routeOptions.url}`)
      : undefined;
    if (access === undefined) done();
    else
      guard.admit(request, access).then(() => {
        request.admittedBy = access;
        done();
      }, done);
  });
}

/** As Fastify names a route. */
function keyOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
