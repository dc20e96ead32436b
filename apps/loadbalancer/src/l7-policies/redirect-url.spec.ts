import { expect, it } from '@jest/globals';
import { redirectUrl } from './redirect-url.js';

it.each([
  'http://example.com',
  'https://www.example.com:8443/a/b?c=d&e=%20(f)',
  'HTTPS://[2001:db8::1]/x',
  'https://example.com?a=b',
])('takes %s', (url) => {
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
