import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { endsTls, requireSound, type Home, type Judged } from './listener-rules.js';
import { tlsLimits } from '../tree/tls-options.js';

const HOME: Home = {
  projectId: asId('project'),
  provider: 'haproxy',
  vipAddress: '203.0.113.5',
  additionalVips: [],
  vipSgIds: [],
};

const HTTP: Judged = {
  protocol: 'HTTP',
  allowedCidrs: [],
  insertHeaders: {},
  clientAuthentication: 'NONE',
  defaultTlsContainerRef: null,
  sniContainerRefs: [],
  clientCaTlsContainerRef: null,
  clientCrlContainerRef: null,
  hstsMaxAge: null,
  hstsIncludeSubdomains: false,
  hstsPreload: false,
};

const TLS: Judged = { ...HTTP, protocol: 'TERMINATED_HTTPS', defaultTlsContainerRef: 'one' };

describe('listener options are accepted', () => {
  it.each<[string, Judged, Partial<Home>]>([
    ['plain HTTP', HTTP, {}],
    [
      'TLS with all options',
      {
        ...TLS,
        clientCaTlsContainerRef: 'ca',
        clientCrlContainerRef: 'crl',
        clientAuthentication: 'MANDATORY',
        hstsMaxAge: 0,
        hstsPreload: true,
      },
      {},
    ],
    [
      'TLS with SNI certificates only',
      { ...TLS, defaultTlsContainerRef: null, sniContainerRefs: ['a'] },
      {},
    ],
    ['PROMETHEUS with a certificate', { ...TLS, protocol: 'PROMETHEUS' }, {}],
    ['UDP with the provider OVN', { ...HTTP, protocol: 'UDP' }, { provider: 'ovn' }],
    [
      'IPv6 networks for one of the addresses',
      { ...HTTP, allowedCidrs: ['2001:db8::/32'] },
      { additionalVips: [{ subnet_id: 'six', ip_address: '2001:db8::1' }] },
    ],
    [
      'networks for an unknown address',
      { ...HTTP, allowedCidrs: ['2001:db8::/32'] },
      { vipAddress: null },
    ],
  ])('%s', (_, listener, home) => {
    expect(() => requireSound(listener, { ...HOME, ...home })).not.toThrow();
  });
});

describe('listener options are refused', () => {
  it.each<[string, Judged, Partial<Home>]>([
    [
      'UDP protocol listener does not support TLS or header insertion.',
      { ...TLS, protocol: 'UDP' },
      { provider: 'ovn' },
    ],
    [
      "Provider 'ovn' does not support a requested option: listeners of protocol HTTP are not supported.",
      HTTP,
      { provider: 'ovn' },
    ],
    [
      'Certificate container references are not allowed on HTTPS protocol listeners.',
      { ...TLS, protocol: 'HTTPS' },
      {},
    ],
    [
      'An SNI or default certificate container reference must be provided with a client CA container reference.',
      {
        ...TLS,
        protocol: 'PROMETHEUS',
        defaultTlsContainerRef: null,
        clientCaTlsContainerRef: 'ca',
      },
      {},
    ],
    [
      'CIDR 10.0.0.0/8 IP version incompatible with all VIPs 2001:db8::1 IP version.',
      { ...HTTP, allowedCidrs: ['10.0.0.0/8'] },
      { vipAddress: '2001:db8::1' },
    ],
  ])('%s', (message, listener, home) => {
    expect(() => requireSound(listener, { ...HOME, ...home })).toThrow(message);
  });
});

describe('TLS attributes', () => {
  const none = { tlsCiphers: null, tlsVersions: [], alpnProtocols: [] };

  it('have defaults if TLS is terminated, also for null', () => {
    const standard = {
      tlsCiphers: expect.stringMatching(/^TLS_AES_128_GCM_SHA256:/),
      tlsVersions: ['TLSv1.2', 'TLSv1.3'],
      alpnProtocols: ['h2', 'http/1.1', 'http/1.0'],
    };
    expect(tlsLimits(endsTls(TLS), {})).toEqual(standard);
    const before = { tlsCiphers: 'X', tlsVersions: ['TLSv1.3' as const], alpnProtocols: ['h2'] };
    const nulls = { tlsCiphers: null, tlsVersions: null, alpnProtocols: null };
    expect(tlsLimits(endsTls(TLS), nulls, before)).toEqual(standard);
    expect(tlsLimits(endsTls(TLS), {}, before)).toEqual(before);
  });

  it('are empty otherwise', () => {
    expect(tlsLimits(endsTls(HTTP), {})).toEqual(none);
    expect(tlsLimits(endsTls({ ...HTTP, protocol: 'PROMETHEUS' }), {})).toEqual(none);
  });
});
