import { describe, expect, it } from '@jest/globals';
import { persistenceOf, sessionPersistence } from './session-persistence.js';

const NOTHING = { cookie_name: null, persistence_timeout: null, persistence_granularity: null };
const given = (value: unknown) => sessionPersistence.read(value, 'session_persistence');

describe('as it is sent', () => {
  it('is nothing where it is empty', () => {
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
  ])('is not %j', (value, reason) => {
    expect(() => given(value)).toThrow(reason);
  });
});

describe('with a protocol', () => {
  it.each([
    ['HTTP', { type: 'HTTP_COOKIE' }],
    ['PROXY', { type: 'APP_COOKIE', cookie_name: 'JSESSIONID' }],
    ['TCP', { type: 'SOURCE_IP' }],
    ['UDP', { type: 'SOURCE_IP', persistence_timeout: 60, persistence_granularity: '255.255.0.0' }],
  ] as const)('%s goes %j', (protocol, fields) => {
    expect(persistenceOf(protocol, fields)).toEqual({ ...NOTHING, ...fields });
  });

  it.each([
    ['HTTP', { type: 'APP_COOKIE' }, '"cookie_name" must be specified'],
    ['HTTP', { type: 'HTTP_COOKIE', cookie_name: 'a' }, '"cookie_name" can only be specified'],
    ['HTTP', { type: 'SOURCE_IP', persistence_timeout: 5 }, 'is only for UDP and SCTP'],
    ['HTTP', { cookie_name: 'a' }, 'session_persistence needs a type'],
    ['TCP', { type: 'HTTP_COOKIE' }, 'HTTP_COOKIE is not supported for TCP protocol pools'],
    ['HTTPS', { type: 'APP_COOKIE', cookie_name: 'a' }, 'not supported for HTTPS'],
    ['UDP', { type: 'HTTP_COOKIE' }, 'HTTP_COOKIE is not supported for UDP protocol pools'],
    ['SCTP', { type: 'SOURCE_IP', cookie_name: 'a' }, 'Cookie names are not supported'],
  ] as const)('%s does not go %j', (protocol, fields, reason) => {
    expect(() => persistenceOf(protocol, fields)).toThrow(reason);
  });
});

it('keeps its type where a change names none, and nothing else', () => {
  const before = { ...NOTHING, type: 'APP_COOKIE', cookie_name: 'a' };
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
