import { expect, it } from '@jest/globals';
import { domainName, httpVersion, statusCodes, urlPath } from './monitor-values.js';

it.each(['/', '/health', '/a/b?c=d&e=%20', '/~me/;v=1', '/a//b'])('takes the path %s', (path) => {
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

it.each(['200', '200,202', '200, 202', '200-204'])('takes the codes %s', (codes) => {
  expect(statusCodes.read(codes)).toBe(codes);
});

it.each(['2000', '200-', '204-200', '200-202,204', 'ok', '700', '200,\n202'])(
  'refuses the codes %j',
  (codes) => {
    expect(() => statusCodes.read(codes)).toThrow('is not a list or a range of HTTP statuses');
  },
);

it.each(['example.com', 'a', 'a_b.example.com.', 'xn--bcher-kva.example'])(
  'takes the domain %s',
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
])('takes the version %j', (given, read) => {
  expect(httpVersion.read(given)).toBe(read);
});

it.each([2, '2.0', '1.10', null, 'HTTP/1.1'])('refuses the version %j', (given) => {
  expect(() => httpVersion.read(given)).toThrow('is not in [1.0,1.1]');
});
