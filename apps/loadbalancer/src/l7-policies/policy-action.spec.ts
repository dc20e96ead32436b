import { describe, expect, it } from '@jest/globals';
import { redirectUrl } from '../tree/l7-policy.entity.js';
import { actionColumns } from './policy-action.js';

const NOTHING = {
  redirectPoolId: null,
  redirectUrl: null,
  redirectPrefix: null,
  redirectHttpCode: null,
};
const URL_POLICY = {
  ...NOTHING,
  action: 'REDIRECT_TO_URL',
  redirectUrl: 'http://a',
  redirectHttpCode: 301,
} as const;

describe('the action of a new policy', () => {
  it.each([
    [{ action: 'REJECT' }, { action: 'REJECT' }],
    [{ action: 'REJECT', redirectUrl: 'http://a' }, { action: 'REJECT' }],
    [
      { action: 'REDIRECT_TO_POOL', redirectPoolId: 'p', redirectHttpCode: 301 },
      { action: 'REDIRECT_TO_POOL', redirectPoolId: 'p' },
    ],
    [
      { action: 'REDIRECT_TO_URL', redirectUrl: 'http://a' },
      { action: 'REDIRECT_TO_URL', redirectUrl: 'http://a', redirectHttpCode: 302 },
    ],
    [
      { action: 'REDIRECT_PREFIX', redirectPrefix: 'http://a', redirectHttpCode: 308 },
      { action: 'REDIRECT_PREFIX', redirectPrefix: 'http://a', redirectHttpCode: 308 },
    ],
  ] as const)('is set by %j', (given, columns) => {
    expect(actionColumns(given)).toEqual({ ...NOTHING, ...columns });
  });

  it.each([
    ['REDIRECT_TO_POOL', 'redirect_pool_id must not be None'],
    ['REDIRECT_TO_URL', 'redirect_url must not be None'],
    ['REDIRECT_PREFIX', 'redirect_prefix must not be None'],
  ] as const)('%s needs its target', (action, message) => {
    expect(() => actionColumns({ action, redirectUrl: null })).toThrow(message);
  });
});

describe('the action of a changed policy', () => {
  it('is kept if it is not named', () => {
    expect(actionColumns({}, URL_POLICY)).toEqual(URL_POLICY);
  });

  it('keeps its status code with another target', () => {
    expect(actionColumns({ redirectUrl: 'http://b' }, URL_POLICY)).toEqual({
      ...URL_POLICY,
      redirectUrl: 'http://b',
    });
  });

  it('resets its status code with null', () => {
    expect(actionColumns({ redirectHttpCode: null }, URL_POLICY)).toEqual({
      ...URL_POLICY,
      redirectHttpCode: 302,
    });
  });

  it('follows from the target', () => {
    expect(actionColumns({ redirectPoolId: 'p' }, URL_POLICY)).toEqual({
      ...NOTHING,
      action: 'REDIRECT_TO_POOL',
      redirectPoolId: 'p',
    });
    expect(actionColumns({ action: 'REJECT' }, URL_POLICY)).toEqual({
      ...NOTHING,
      action: 'REJECT',
    });
  });

  it.each([
    [{ redirectUrl: null }, 'redirect_url must not be None'],
    [{ action: 'REDIRECT_PREFIX' }, 'redirect_prefix must not be None'],
    [{ redirectPoolId: 'p', redirectUrl: 'http://a' }, 'Cannot specify more than one'],
  ] as const)('is refused: %j', (given, message) => {
    expect(() => actionColumns(given, URL_POLICY)).toThrow(message);
  });
});

it.each([
  'http://example.com',
  'https://www.example.com:8443/a/b?c=d&e=%20(f)',
  'HTTPS://[2001:db8::1]/x',
  'https://example.com?a=b',
])('accepts %s', (url) => {
  expect(redirectUrl.read(url)).toBe(url);
});

it.each([
  'example.com',
  '//example.com/',
  'ftp://example.com/',
  'http://',
  'http:///a',
  '/a',
  '',
  'http://a b/',
  'http://example.com/a b',
  'http://example.com/\nbind :1',
  'http://a/\r',
  'http://example.com/"',
  "http://example.com/'",
  'http://example.com/#a',
  'http://a/\\',
  'http://example.com/%zz',
  'http://a:99999/',
  'http://user@example.com/',
  'http://é.com/',
  'javascript:alert(1)',
  `http://example.com/${'a'.repeat(255)}`,
  1,
  null,
])('refuses %j', (url) => {
  expect(() => redirectUrl.read(url)).toThrow();
});
