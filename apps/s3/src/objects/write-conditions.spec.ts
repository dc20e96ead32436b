import { describe, expect, it } from '@jest/globals';
import type { StoredObject } from './object.entity.js';
import {
  checkDeleted,
  checkReplaced,
  isConditional,
  writeConditionsOf,
} from './write-conditions.js';

const GIVEN = {
  etag: 'abc',
  size: '3',
  isDeleteMarker: false,
  modifiedAt: new Date('2026-01-02T03:04:05.678Z'),
};
const OBJECT = GIVEN as StoredObject;
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
  ])('with %j over an object, a marker, nothing is %s, %s, %s', (headers, ...expected) => {
    const conditions = writeConditionsOf(headers);
    const codes = [OBJECT, MARKER, undefined].map((one) =>
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
  ])('with %j of an object, of a marker is %s, %s', (headers, ...expected) => {
    const conditions = writeConditionsOf(headers);
    const codes = [OBJECT, MARKER].map((one) => codeOf(() => checkDeleted(one, conditions)));
    expect(codes).toEqual(expected);
  });
});

describe('conditions', () => {
  it('are none without headers', () => {
    expect(isConditional(writeConditionsOf({}))).toBe(false);
    expect(isConditional(writeConditionsOf({ 'x-amz-if-match-size': '0' }))).toBe(true);
  });

  it.each([{ 'x-amz-if-match-size': '-1' }, { 'x-amz-if-match-last-modified-time': 'soon' }])(
    'refuse %j',
    (headers) => {
      expect(codeOf(() => writeConditionsOf(headers as Record<string, string>))).toBe(
        'InvalidArgument',
      );
    },
  );
});
