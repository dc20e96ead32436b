import { expect, it } from '@jest/globals';
import { requireBucketName } from './create-bucket.operation.js';

it.each(['abc', '0ab', 'a.b.c', 'a-b', 'a--b', '1.2.3', 'a'.repeat(63), '1.2.3.4a', 'xn-a'])(
  'takes %s',
  (name) => expect(() => requireBucketName(name)).not.toThrow(),
);

it.each([
  ['', 'between 3 and 63'],
  ['ab', 'between 3 and 63'],
  ['a'.repeat(64), 'between 3 and 63'],
  ['Abc', 'labels'],
  ['foo_bar', 'labels'],
  ['foo-', 'labels'],
  ['-foo', 'labels'],
  ['foo.', 'labels'],
  ['.foo', 'labels'],
  ['foo..bar', 'labels'],
  ['foo-.bar', 'labels'],
  ['foo.-bar', 'labels'],
  ['a b', 'labels'],
  ['abc\n', 'labels'],
  ['ünï', 'labels'],
  ['192.168.1.1', 'IP address'],
  ['xn--abc', 'begin with xn--'],
  ['sthree-abc', 'begin with sthree-'],
  ['abc-s3alias', 'end with -s3alias'],
  ['abc--x-s3', 'end with --x-s3'],
])('refuses %j, which breaks a rule: %s', (name, rule) => {
  expect(() => requireBucketName(name)).toThrow(
    expect.objectContaining({ code: 'InvalidBucketName', message: expect.stringContaining(rule) }),
  );
});
