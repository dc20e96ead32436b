import { describe, expect, it } from '@jest/globals';
import { alpnProtocols, DEFAULT_CIPHERS, tlsCiphers, tlsVersions } from './tls-options.js';

describe('ciphers', () => {
  it.each([DEFAULT_CIPHERS, 'ECDHE+AESGCM:!aNULL:@SECLEVEL=2', '-NULL:HIGH'])(
    'may be %s',
    (value) => {
      expect(tlsCiphers.read(value)).toBe(value);
    },
  );

  it.each([
    ['HIGH\nbind :1', 'may only contain letters, digits and -+!:@=_.'],
    ['HIGH MEDIUM', 'may only contain letters'],
    ['HIGH:eNULL', 'the following ciphers have been prohibited: eNULL'],
    ['ECDHE-RSA-NULL-SHA', 'prohibited: ECDHE-RSA-NULL-SHA'],
    ['kEECDH+aNULL:HIGH', 'prohibited: kEECDH+aNULL'],
    ['A'.repeat(2049), 'exceeds maximum length of 2048'],
  ])('may not be %s', (value, reason) => {
    expect(() => tlsCiphers.read(value)).toThrow(reason);
  });
});

it.each([
  [[], 'name at least one TLS version'],
  [null, 'name at least one TLS version'],
  [['TLSv1.1'], 'TLSv1.1 is older than the oldest that is allowed, TLSv1.2'],
  [['TLSv1.4'], "'TLSv1.4' is not in"],
])('refuses the versions %j', (value, reason) => {
  expect(() => tlsVersions.read(value)).toThrow(reason);
});

it('deduplicates versions and ALPN protocols', () => {
  expect(tlsVersions.read(['TLSv1.3', 'TLSv1.2', 'TLSv1.3'])).toEqual(['TLSv1.3', 'TLSv1.2']);
  expect(alpnProtocols.read(['h2', 'http/1.1'])).toEqual(['h2', 'http/1.1']);
  expect(() => alpnProtocols.read(['spdy/3'])).toThrow("'spdy/3' is not in");
  expect(() => alpnProtocols.read([])).toThrow('name at least one ALPN protocol');
});
