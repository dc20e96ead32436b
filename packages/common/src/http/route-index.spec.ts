import { describe, expect, it } from '@jest/globals';
import { RouteIndex } from './fastify-hooks.js';

const routes = new RouteIndex({ strictPaths: false });
routes.add('/servers', ['GET', 'HEAD']);
routes.add('/servers', ['POST']);
routes.add('/servers/:id', ['GET']);
routes.add('/*', ['OPTIONS']);

describe('a path without a route for its method', () => {
  it('lists its methods', () => {
    expect(routes.notFound('PUT', '/servers?x=1')).toMatchObject({
      kind: 'method-not-allowed',
      allow: ['GET', 'HEAD', 'POST'],
      message: 'PUT is not allowed on /servers; allowed: GET, HEAD, POST.',
    });
  });

  it('is found with parameters and with a trailing slash', () => {
    expect(routes.notFound('PUT', '/servers/7/').allow).toEqual(['GET']);
  });

  it('differs by a trailing slash if paths are strict', () => {
    const strict = new RouteIndex({ strictPaths: true });
    strict.add('/images', ['GET']);
    expect(strict.notFound('PUT', '/images').allow).toEqual(['GET']);
    expect(strict.notFound('DELETE', '/images/').kind).toBe('not-found');
  });

  it.each(['/server', '/servers/7/8', '/'])('is not found: %s', (path) => {
    expect(routes.notFound('GET', path)).toMatchObject({
      kind: 'not-found',
      message: `No operation GET ${path} exists.`,
    });
  });
});
