import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CIPHERS } from '../parts/tls-options.js';
import { NO_TLS, requireSupported, tlsColumns } from './pool-rules.js';

describe('TLS to members', () => {
  it('has nothing by default', () => {
    expect(tlsColumns({})).toEqual(NO_TLS);
  });

  it('has defaults where it is spoken', () => {
    expect(tlsColumns({ tlsEnabled: true })).toEqual({
      ...NO_TLS,
      tlsEnabled: true,
      tlsCiphers: DEFAULT_CIPHERS,
      tlsVersions: ['TLSv1.2', 'TLSv1.3'],
      alpnProtocols: ['h2', 'http/1.1', 'http/1.0'],
    });
  });

  it('goes back to them by null', () => {
    const before = { ...NO_TLS, tlsEnabled: true, tlsVersions: ['TLSv1.3'], tlsCiphers: 'HIGH' };
    expect(tlsColumns({ tlsVersions: null }, before)).toMatchObject({
      tlsVersions: ['TLSv1.2', 'TLSv1.3'],
      tlsCiphers: 'HIGH',
    });
  });

  it('has revocations of an authority alone', () => {
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
])('refuses what %s cannot: %s by %s', (provider, protocol, lbAlgorithm, message) => {
  expect(() => requireSupported(provider, { protocol, lbAlgorithm })).toThrow(message);
});

it.each([
  ['haproxy', 'TCP', 'ROUND_ROBIN'],
  ['ovn', 'UDP', 'SOURCE_IP_PORT'],
])('lets %s have %s by %s', (provider, protocol, lbAlgorithm) => {
  expect(() => requireSupported(provider, { protocol, lbAlgorithm })).not.toThrow();
});
