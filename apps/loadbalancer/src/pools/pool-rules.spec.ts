import { describe, expect, it } from '@jest/globals';
import { sessionPersistence } from '../tree/pool.entity.js';
import { DEFAULT_CIPHERS } from '../tree/tls-options.js';
import { NO_TLS, persistenceOf, requireSupported, tlsColumns } from './pool-rules.js';

describe('TLS to members', () => {
  it('is off by default', () => {
    expect(tlsColumns({})).toEqual(NO_TLS);
  });

  it('has defaults if it is enabled', () => {
    expect(tlsColumns({ tlsEnabled: true })).toEqual({
      ...NO_TLS,
      tlsEnabled: true,
      tlsCiphers: DEFAULT_CIPHERS,
      tlsVersions: ['TLSv1.2', 'TLSv1.3'],
      alpnProtocols: ['h2', 'http/1.1', 'http/1.0'],
    });
  });

  it('restores them with null', () => {
    const tlsVersions = ['TLSv1.3' as const];
    const before = { ...NO_TLS, tlsEnabled: true, tlsVersions, tlsCiphers: 'HIGH' };
    expect(tlsColumns({ tlsVersions: null }, before)).toMatchObject({
      tlsVersions: ['TLSv1.2', 'TLSv1.3'],
      tlsCiphers: 'HIGH',
    });
  });

  it('allows a revocation list only with an authority', () => {
    const ref = 'http://secrets/v1/secrets/1';
    const both = { ...NO_TLS, caTlsContainerRef: ref, crlContainerRef: ref };
    expect(tlsColumns({ caTlsContainerRef: ref, crlContainerRef: ref })).toEqual(both);
    expect(() => tlsColumns({ crlContainerRef: ref })).toThrow('A CA certificate reference');
    expect(() => tlsColumns({ caTlsContainerRef: null }, both)).toThrow('cannot be removed');
    expect(tlsColumns({ caTlsContainerRef: null, crlContainerRef: null }, both)).toEqual(NO_TLS);
  });
});

it.each([
  ['haproxy', 'UDP', 'SOURCE_IP', "Provider 'haproxy' does not support a requested option"],
  ['ovn', 'HTTP', 'SOURCE_IP_PORT', 'supported: TCP, UDP, SCTP'],
  ['ovn', 'TCP', 'ROUND_ROBIN', 'supported: SOURCE_IP_PORT'],
] as const)(
  'refuses what %s does not support: %s by %s',
  (provider, protocol, lbAlgorithm, message) => {
    expect(() => requireSupported(provider, { protocol, lbAlgorithm })).toThrow(message);
  },
);

it.each([
  ['haproxy', 'TCP', 'ROUND_ROBIN'],
  ['ovn', 'UDP', 'SOURCE_IP_PORT'],
] as const)('accepts %s with %s by %s', (provider, protocol, lbAlgorithm) => {
  expect(() => requireSupported(provider, { protocol, lbAlgorithm })).not.toThrow();
});

const NOTHING = { cookie_name: null, persistence_timeout: null, persistence_granularity: null };
const given = (value: unknown) => sessionPersistence.read(value, 'session_persistence');

describe('session persistence as sent', () => {
  it('is null if it is empty', () => {
    expect(given({})).toBeNull();
  });

  it.each([
    [{ type: 'COOKIE' }, "'COOKIE' is not in"],
    [{ type: 'APP_COOKIE', cookie_name: 'a b' }, "'a b' is not the name of a cookie"],
    [{ type: 'APP_COOKIE', cookie_name: 'a\nserver x' }, 'is not the name of a cookie'],
    [{ type: 'APP_COOKIE', cookie_name: 'a"b' }, 'is not the name of a cookie'],
    [{ type: 'APP_COOKIE', cookie_name: '' }, 'is not the name of a cookie'],
    [{ type: 'SOURCE_IP', persistence_granularity: '/24' }, 'is not a valid IP address'],
    [{ type: 'SOURCE_IP', persistence_timeout: 0 }, 'is too small'],
    [{ cookie: 'a' }, "has the unknown key 'cookie'"],
    ['SOURCE_IP', 'is not a dictionary'],
  ])('cannot be %j', (value, reason) => {
    expect(() => given(value)).toThrow(reason);
  });
});

describe('session persistence by protocol', () => {
  it.each([
    ['HTTP', { type: 'HTTP_COOKIE' }],
    ['PROXY', { type: 'APP_COOKIE', cookie_name: 'JSESSIONID' }],
    ['TCP', { type: 'SOURCE_IP' }],
    ['UDP', { type: 'SOURCE_IP', persistence_timeout: 60, persistence_granularity: '255.255.0.0' }],
  ] as const)('%s accepts %j', (protocol, fields) => {
    expect(persistenceOf(protocol, fields)).toEqual({ ...NOTHING, ...fields });
  });

  it.each([
    ['HTTP', { type: 'APP_COOKIE' }, '"cookie_name" must be specified'],
    ['HTTP', { type: 'HTTP_COOKIE', cookie_name: 'a' }, '"cookie_name" can only be specified'],
    ['HTTP', { type: 'SOURCE_IP', persistence_timeout: 5 }, 'is only for UDP and SCTP'],
    ['HTTP', { cookie_name: 'a' }, 'session_persistence must have a type'],
    ['TCP', { type: 'HTTP_COOKIE' }, 'HTTP_COOKIE is not supported for TCP protocol pools'],
    ['HTTPS', { type: 'APP_COOKIE', cookie_name: 'a' }, 'not supported for HTTPS'],
    ['UDP', { type: 'HTTP_COOKIE' }, 'HTTP_COOKIE is not supported for UDP protocol pools'],
    ['SCTP', { type: 'SOURCE_IP', cookie_name: 'a' }, 'Cookie names are not supported'],
  ] as const)('%s refuses %j', (protocol, fields, reason) => {
    expect(() => persistenceOf(protocol, fields)).toThrow(reason);
  });
});

it('a change keeps the type if it names none, and nothing else', () => {
  const before = { ...NOTHING, type: 'APP_COOKIE', cookie_name: 'a' } as const;
  expect(persistenceOf('HTTP', { cookie_name: 'b' }, before)).toEqual({
    ...before,
    cookie_name: 'b',
  });
  expect(persistenceOf('HTTP', { type: 'HTTP_COOKIE' }, before)).toEqual({
    ...NOTHING,
    type: 'HTTP_COOKIE',
  });
  expect(persistenceOf('HTTP', null, before)).toBeNull();
});
