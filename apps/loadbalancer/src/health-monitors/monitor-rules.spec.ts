import { describe, expect, it } from '@jest/globals';
import { domainName, httpVersion, statusCodes, urlPath } from '../tree/health-monitor.resource.js';
import { httpColumns, requireMonitorFor } from './monitor-rules.js';

const STANDARD = {
  httpMethod: 'GET',
  urlPath: '/',
  expectedCodes: '200',
  httpVersion: null,
  domainName: null,
} as const;

describe('HTTP and HTTPS monitors', () => {
  it.each(['HTTP', 'HTTPS'])('%s has defaults, which null restores', (type) => {
    expect(httpColumns(type, {})).toEqual(STANDARD);
    const before = { ...STANDARD, urlPath: '/a', expectedCodes: '204' };
    expect(httpColumns(type, { urlPath: null }, before)).toEqual({
      ...STANDARD,
      expectedCodes: '204',
    });
  });

  it.each([
    [{ domainName: 'a.b' }, "'http_version' must be specified when 'domain_name' is provided."],
    [{ domainName: 'a.b', httpVersion: 1 }, 'http_version 1.0 is not a valid option for'],
  ] as const)('a domain name needs HTTP 1.1: %j', (given, message) => {
    expect(() => httpColumns('HTTP', given)).toThrow(message);
  });

  it('are validated with their existing attributes', () => {
    const before = { ...STANDARD, httpVersion: 1.1, domainName: 'a.b' } as const;
    expect(httpColumns('HTTP', { domainName: 'c.d' }, before)).toMatchObject({
      domainName: 'c.d',
      httpVersion: 1.1,
    });
    expect(() => httpColumns('HTTP', { httpVersion: null }, before)).toThrow('must be specified');
    expect(() => httpColumns('HTTP', { httpVersion: 1 }, before)).toThrow('http_version 1.0');
  });
});

describe('other monitors', () => {
  it.each([
    ['http_method', { httpMethod: 'GET' }],
    ['url_path', { urlPath: '/' }],
    ['expected_codes', { expectedCodes: '200' }],
  ] as const)('have no %s', (name, given) => {
    expect(() => httpColumns('TCP', given)).toThrow(
      `${name} is not a valid option for health monitors of type TCP`,
    );
  });

  it('may have null for them', () => {
    expect(httpColumns('PING', { urlPath: null, domainName: null })).toEqual({
      httpVersion: null,
      domainName: null,
    });
  });

  it('keep unused HTTP attributes under the same rules', () => {
    const kept = { httpVersion: 1.1, domainName: 'a.b' } as const;
    expect(httpColumns('TCP', kept)).toEqual(kept);
    expect(httpColumns('TCP', {}, kept)).toEqual(kept);
    expect(() => httpColumns('TCP', { domainName: 'a.b' })).toThrow('must be specified');
  });
});

describe('a pool', () => {
  it.each(['HTTP', 'HTTPS', 'TCP', 'PING', 'TLS-HELLO'] as const)(
    'of a stream protocol may have a %s monitor',
    (type) => {
      expect(() => requireMonitorFor('HTTP', { type, delay: 1 })).not.toThrow();
    },
  );

  it.each([
    ['TCP', 'UDP-CONNECT', 5, 'only supported for pools of type UDP/SCTP'],
    ['HTTP', 'SCTP', 5, 'only supported for pools of type UDP/SCTP'],
    ['UDP', 'PING', 5, 'The associated pool protocol is UDP, so only a UDP-CONNECT/SCTP/TCP/HTTP'],
    ['UDP', 'UDP-CONNECT', 2, 'The request delay value 2 should be larger than 3'],
  ] as const)('of %s may not have a %s monitor every %i s', (protocol, type, delay, message) => {
    expect(() => requireMonitorFor(protocol, { type, delay })).toThrow(message);
  });
});

it.each(['/', '/health', '/a/b?c=d&e=%20', '/~me/;v=1', '/a//b'])('accepts the path %s', (path) => {
  expect(urlPath.read(path)).toBe(path);
});

it.each([
  '',
  'health',
  '//host/a',
  'http://host/a',
  '/a b',
  '/a\nserver x',
  '/a"b',
  "/a'b",
  '/a#b',
  '/a\\b',
  '/a%2',
  '/é',
  '/a%zz',
  7,
])('refuses the path %j', (path) => {
  expect(() => urlPath.read(path)).toThrow('is not a valid');
});

it.each(['200', '200,202', '200, 202', '200-204'])('accepts the codes %s', (codes) => {
  expect(statusCodes.read(codes)).toBe(codes);
});

it.each(['2000', '200-', '204-200', '200-202,204', 'ok', '700', '200,\n202'])(
  'refuses the codes %j',
  (codes) => {
    expect(() => statusCodes.read(codes)).toThrow('is not a list or a range of HTTP statuses');
  },
);

it.each(['example.com', 'a', 'a_b.example.com.', 'xn--bcher-kva.example'])(
  'accepts the domain %s',
  (name) => {
    expect(domainName.read(name)).toBe(name);
  },
);

it.each([
  '',
  '-a.com',
  'a-.com',
  'a..b',
  'a b',
  'a\nb',
  `${'a'.repeat(64)}.com`,
  '*.a.com',
  'a:80',
])('refuses the domain %j', (name) => {
  expect(() => domainName.read(name)).toThrow('is not a valid domain name');
});

it.each([
  [1.1, 1.1],
  ['1.0', 1.0],
  [1, 1.0],
])('accepts the version %j', (given, read) => {
  expect(httpVersion.read(given)).toBe(read);
});

it.each([2, '2.0', '1.10', null, 'HTTP/1.1'])('refuses the version %j', (given) => {
  expect(() => httpVersion.read(given)).toThrow('is not in [1.0,1.1]');
});
