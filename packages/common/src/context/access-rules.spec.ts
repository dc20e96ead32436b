import { describe, expect, it } from '@jest/globals';
import { isAllowed, pathMatches } from './access-rules.js';

describe('the path of an access rule', () => {
  it.each([
    ['/v2.1/servers', '/v2.1/servers'],
    ['/v2.1/servers/{server_id}', '/v2.1/servers/1'],
    ['/v2.1/servers/{server_id}/', '/v2.1/servers/1/'],
    ['/v2.1/servers/*', '/v2.1/servers/1'],
    ['/v2.1/servers/**', '/v2.1/servers/1/ips'],
    ['/v2.1/servers/**', '/v2.1/servers/'],
    ['/v2.1/**/ips', '/v2.1/servers/1/ips'],
    ['/v2/*/*/*', '/v2/a/b/c'],
    ['/v2/im*', '/v2/images'],
    ['**', '/anything/at/all'],
  ])('%s matches %s', (pattern, path) => {
    expect(pathMatches(pattern, path)).toBe(true);
  });

  it.each([
    ['/v2.1/servers', '/v2.1/servers/1'],
    ['/v2.1/servers', '/v2x1/servers'],
    ['v2.1/servers', '/v2.1/servers'],
    ['/v2.1/servers/{server_id}', '/v2.1/servers'],
    ['/v2.1/servers/{server_id}', '/v2.1/servers/'],
    ['/v2.1/servers/{server_id}', '/v2.1/servers/1/'],
    ['/v2.1/servers/*', '/v2.1/servers/1/ips'],
    ['/v2.1/servers/**', '/v2.1/servers'],
    ['/v2/*/*/*', '/v2/a/b/'],
    ['', '/v2'],
  ])('%s does not match %s', (pattern, path) => {
    expect(pathMatches(pattern, path)).toBe(false);
  });

  it('handles hostile patterns', () => {
    expect(pathMatches('**a'.repeat(40), 'a'.repeat(8_000) + 'b')).toBe(false);
  });
});

describe('access rules', () => {
  const rules = [
    { service: 'compute', method: 'GET', path: '/v2.1/servers' },
    { service: 'image', method: 'GET', path: '/v2/images/*' },
  ];

  it('allow what any of them allows', () => {
    expect(isAllowed(rules, { service: 'image', method: 'GET', path: '/v2/images/1' })).toBe(true);
  });

  it.each([
    { service: 'image', method: 'GET', path: '/v2.1/servers' },
    { service: 'compute', method: 'POST', path: '/v2.1/servers' },
    { service: 'compute', method: 'GET', path: '/v2.1/servers/1' },
  ])('do not allow %p', (request) => {
    expect(isAllowed(rules, request)).toBe(false);
  });

  it('allow nothing if empty', () => {
    expect(isAllowed([], { service: 'compute', method: 'GET', path: '/' })).toBe(false);
  });
});
