import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { checkPolicy } from './post-policy.js';

const FIELDS = { key: 'photos/one.txt', 'content-type': 'text/plain', bucket: 'pictures' };
const LATER = '2126-01-01T00:00:00Z';
const CONDITIONS = [
  { bucket: 'pictures' },
  ['starts-with', '$key', 'photos/'],
  ['eq', '$Content-Type', 'text/plain'],
  ['content-length-range', 5, '10'],
];

const encoded = (document: unknown): string =>
  Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)).toString(
    'base64',
  );

const check = (document: unknown, fields: Record<string, string> = FIELDS): unknown => {
  try {
    return checkPolicy(encoded(document), new Map(Object.entries(fields)));
  } catch (error) {
    return error instanceof S3Error ? error.code : error;
  }
};

const policy = (conditions: unknown = CONDITIONS, expiration: unknown = LATER): object => ({
  expiration,
  conditions,
});

describe('the policy of a form', () => {
  it('limits the size of the file', () => {
    expect(check(policy())).toEqual({ min: 5, max: 10 });
  });

  it('allows unmentioned fields only if they are exempt', () => {
    const more = {
      ...FIELDS,
      policy: 'x',
      'x-amz-signature': 'x',
      'x-ignore-me': 'x',
      'x-amz-checksum-sha256': 'x',
    };
    expect(check(policy(), more)).toEqual({ min: 5, max: 10 });
    expect(check(policy(), { ...FIELDS, 'x-amz-meta-colour': 'red' })).toBe('AccessDenied');
  });

  it.each([
    ['another key', { ...FIELDS, key: 'elsewhere' }],
    ['another bucket', { ...FIELDS, bucket: 'other' }],
    ['a missing field', { key: 'photos/', bucket: 'pictures' }],
    ['a list of types', { ...FIELDS, 'content-type': 'text/plain,image/png' }],
  ])('refuses %s', (_, fields) => {
    expect(check(policy(), fields)).toBe('AccessDenied');
  });

  it('matches kinds and fields regardless of case', () => {
    const conditions = [{ BuCkEt: 'pictures' }, ['StArTs-WiTh', '$KeY', 'photos/']];
    const fields = { bucket: 'pictures', key: 'photos/a' };
    expect(check(policy(conditions), fields)).toMatchObject({ min: 0 });
    expect(check(policy(conditions), { ...fields, key: 'a' })).toBe('AccessDenied');
  });

  it('is refused once it has expired', () => {
    expect(check(policy(CONDITIONS, '2020-01-01T00:00:00Z'))).toBe('AccessDenied');
  });

  it.each([
    ['invalid JSON', 'nonsense'],
    ['something other than an object', []],
    ['no expiration', { conditions: CONDITIONS }],
    ['an invalid expiration', policy(CONDITIONS, 'tomorrow')],
    ['no conditions', { expiration: LATER }],
    ['a capitalised expiration', { EXPIRATION: LATER, conditions: CONDITIONS }],
    ['a range without an upper bound', policy([['content-length-range', 1]])],
    ['a negative size', policy([['content-length-range', -1, 5]])],
    ['an unknown condition', policy([['like', '$key', 'x']])],
    ['an empty condition', policy([{}])],
    ['a number', policy([{ key: 5 }])],
  ])('is invalid with %s', (_, document) => {
    expect(check(document)).toBe('InvalidPolicyDocument');
  });
});
