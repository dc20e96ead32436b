import { describe, expect, it } from '@jest/globals';
import { httpColumns, requireMonitorFor } from './monitor-rules.js';

const STANDARD = {
  httpMethod: 'GET',
  urlPath: '/',
  expectedCodes: '200',
  httpVersion: null,
  domainName: null,
};

describe('of HTTP and HTTPS', () => {
  it.each(['HTTP', 'HTTPS'])('%s has defaults, which null stands for', (type) => {
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
  ])('a name needs HTTP 1.1: %j', (given, message) => {
    expect(() => httpColumns('HTTP', given)).toThrow(message);
  });

  it('counts what the monitor has already', () => {
    const before = { ...STANDARD, httpVersion: 1.1, domainName: 'a.b' };
    expect(httpColumns('HTTP', { domainName: 'c.d' }, before)).toMatchObject({
      domainName: 'c.d',
      httpVersion: 1.1,
    });
    expect(() => httpColumns('HTTP', { httpVersion: null }, before)).toThrow('must be specified');
    expect(() => httpColumns('HTTP', { httpVersion: 1 }, before)).toThrow('http_version 1.0');
  });
});

describe('of other types', () => {
  it.each([
    ['http_method', { httpMethod: 'GET' }],
    ['url_path', { urlPath: '/' }],
    ['expected_codes', { expectedCodes: '200' }],
  ])('have no %s', (name, given) => {
    expect(() => httpColumns('TCP', given)).toThrow(
      `${name} is not a valid option for health monitors of type TCP`,
    );
  });

  it('may be told that there is none', () => {
    expect(httpColumns('PING', { urlPath: null, domainName: null })).toEqual({
      httpVersion: null,
      domainName: null,
    });
  });

  it('keep what they do not use of HTTP, by the same rules', () => {
    const kept = { httpVersion: 1.1, domainName: 'a.b' } as const;
    expect(httpColumns('TCP', kept)).toEqual(kept);
    expect(httpColumns('TCP', {}, kept)).toEqual(kept);
    expect(() => httpColumns('TCP', { domainName: 'a.b' })).toThrow('must be specified');
  });
});

describe('for a pool', () => {
  it.each(['HTTP', 'HTTPS', 'TCP', 'PING', 'TLS-HELLO'])('of streams, may be %s', (type) => {
    expect(() => requireMonitorFor('HTTP', { type, delay: 1 })).not.toThrow();
  });

  it.each([
    ['TCP', 'UDP-CONNECT', 5, 'only supported for pools of type UDP/SCTP'],
    ['HTTP', 'SCTP', 5, 'only supported for pools of type UDP/SCTP'],
    ['UDP', 'PING', 5, 'The associated pool protocol is UDP, so only a UDP-CONNECT/SCTP/TCP/HTTP'],
    ['UDP', 'UDP-CONNECT', 2, 'The request delay value 2 should be larger than 3'],
  ])('of %s, may not be %s every %i s', (protocol, type, delay, message) => {
    expect(() => requireMonitorFor(protocol, { type, delay })).toThrow(message);
  });
});
