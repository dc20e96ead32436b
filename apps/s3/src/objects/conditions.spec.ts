import { describe, expect, it } from '@jest/globals';
import {
  checkCopied,
  checkDeleted,
  checkRead,
  checkReplaced,
  isConditional,
  readConditionsOf,
  writeConditionsOf,
} from './conditions.js';
import type { StoredObject } from './object.entity.js';

const OBJECT = { etag: 'abc', modifiedAt: new Date('2026-01-02T03:04:05.678Z') };
const THEN = 'Fri, 02 Jan 2026 03:04:05 GMT';
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT';
const AFTER = 'Fri, 02 Jan 2026 03:04:06 GMT';

function outcome(headers: Record<string, string>): string {
  try {
    checkRead(OBJECT, readConditionsOf(headers), { etag: '"abc"' });
    return 'OK';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a read', () => {
  it.each([
    [{}, 'OK'],
    [{ 'if-match': '"abc"' }, 'OK'],
    [{ 'if-match': 'abc' }, 'OK'],
    [{ 'if-match': '*' }, 'OK'],
    [{ 'if-match': '"x", W/"abc"' }, 'OK'],
    [{ 'if-match': '"x"' }, 'PreconditionFailed'],
    [{ 'if-none-match': '"x"' }, 'OK'],
    [{ 'if-none-match': '"abc"' }, 'NotModified'],
    [{ 'if-none-match': '*' }, 'NotModified'],
    [{ 'if-modified-since': BEFORE }, 'OK'],
    [{ 'if-modified-since': THEN }, 'NotModified'],
    [{ 'if-modified-since': AFTER }, 'NotModified'],
    [{ 'if-unmodified-since': BEFORE }, 'PreconditionFailed'],
    [{ 'if-unmodified-since': THEN }, 'OK'],
    [{ 'if-unmodified-since': AFTER }, 'OK'],
    [{ 'if-modified-since': 'soon', 'if-unmodified-since': 'never' }, 'OK'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 'OK'],
    [{ 'if-none-match': '"abc"', 'if-modified-since': BEFORE }, 'NotModified'],
    [{ 'if-none-match': '"x"', 'if-modified-since': AFTER }, 'OK'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'PreconditionFailed'],
  ])('with %j results in %s', (headers, expected) => {
    expect(outcome(headers as Record<string, string>)).toBe(expected);
  });

  it('of an unmodified object returns its ETag', () => {
    expect(() =>
      checkRead(OBJECT, readConditionsOf({ 'if-none-match': 'abc' }), { etag: '"abc"' }),
    ).toThrow(expect.objectContaining({ headers: { etag: '"abc"' } }));
  });
});

describe('a copy', () => {
  it.each(['if-none-match', 'if-modified-since'])(
    'fails if a read would be unmodified: %s',
    (name) => {
      const header = `x-amz-copy-source-${name}`;
      const headers = { [header]: name === 'if-none-match' ? 'abc' : AFTER };
      expect(() => checkCopied(OBJECT, readConditionsOf(headers, 'x-amz-copy-source-'))).toThrow(
        expect.objectContaining({ code: 'PreconditionFailed' }),
      );
    },
  );
});

const GIVEN = {
  etag: 'abc',
  size: '3',
  isDeleteMarker: false,
  modifiedAt: new Date('2026-01-02T03:04:05.678Z'),
};
const STORED = GIVEN as StoredObject;
const MARKER = { ...GIVEN, etag: '', size: '0', isDeleteMarker: true } as StoredObject;

function codeOf(check: () => void): string {
  try {
    check();
    return 'OK';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a write', () => {
  it.each([
    [{ 'if-match': '"abc"' }, 'OK', 'NoSuchKey', 'NoSuchKey'],
    [{ 'if-match': 'x' }, 'PreconditionFailed', 'NoSuchKey', 'NoSuchKey'],
    [{ 'if-match': '*' }, 'OK', 'NoSuchKey', 'NoSuchKey'],
    [{ 'if-none-match': '*' }, 'PreconditionFailed', 'OK', 'OK'],
    [{ 'if-none-match': '"abc"' }, 'PreconditionFailed', 'OK', 'OK'],
    [{ 'if-none-match': '"x"' }, 'OK', 'OK', 'OK'],
  ])('with %j over an object, a marker, nothing results in %s, %s, %s', (headers, ...expected) => {
    const conditions = writeConditionsOf(headers);
    const codes = [STORED, MARKER, undefined].map((one) =>
      codeOf(() => checkReplaced(one, conditions)),
    );
    expect(codes).toEqual(expected);
  });
});

describe('a deletion', () => {
  it.each([
    [{ 'if-match': 'abc' }, 'OK', 'PreconditionFailed'],
    [{ 'if-match': '*' }, 'OK', 'OK'],
    [{ 'if-match': 'x' }, 'PreconditionFailed', 'PreconditionFailed'],
    [{ 'x-amz-if-match-size': '3' }, 'OK', 'PreconditionFailed'],
    [{ 'x-amz-if-match-size': '4' }, 'PreconditionFailed', 'PreconditionFailed'],
    [{ 'x-amz-if-match-last-modified-time': 'Fri, 02 Jan 2026 03:04:05 GMT' }, 'OK', 'OK'],
    [{ 'x-amz-if-match-last-modified-time': '2026-01-02T03:04:05Z' }, 'OK', 'OK'],
    [
      { 'x-amz-if-match-last-modified-time': '2026-01-02T03:04:04Z' },
      'PreconditionFailed',
      'PreconditionFailed',
    ],
  ])('with %j of an object, of a marker results in %s, %s', (headers, ...expected) => {
    const conditions = writeConditionsOf(headers);
    const codes = [STORED, MARKER].map((one) => codeOf(() => checkDeleted(one, conditions)));
    expect(codes).toEqual(expected);
  });
});

describe('conditions', () => {
  it('are empty without headers', () => {
    expect(isConditional(writeConditionsOf({}))).toBe(false);
    expect(isConditional(writeConditionsOf({ 'x-amz-if-match-size': '0' }))).toBe(true);
  });

  it.each([{ 'x-amz-if-match-size': '-1' }, { 'x-amz-if-match-last-modified-time': 'soon' }])(
    'cannot be %j',
    (headers) => {
      expect(codeOf(() => writeConditionsOf(headers as Record<string, string>))).toBe(
        'InvalidArgument',
      );
    },
  );
});
