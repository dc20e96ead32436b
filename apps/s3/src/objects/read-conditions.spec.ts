import { describe, expect, it } from '@jest/globals';
import { checkCopied, checkRead, readConditionsOf } from './read-conditions.js';

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
  ])('with %j is %s', (headers, expected) => {
    expect(outcome(headers as Record<string, string>)).toBe(expected);
  });

  it('that is not needed says what the client has', () => {
    expect(() =>
      checkRead(OBJECT, readConditionsOf({ 'if-none-match': 'abc' }), { etag: '"abc"' }),
    ).toThrow(expect.objectContaining({ headers: { etag: '"abc"' } }));
  });
});

describe('a copy', () => {
  it.each(['if-none-match', 'if-modified-since'])(
    'fails where a read is not needed: %s',
    (name) => {
      const header = `x-amz-copy-source-${name}`;
      const headers = { [header]: name === 'if-none-match' ? 'abc' : AFTER };
      expect(() => checkCopied(OBJECT, readConditionsOf(headers, 'x-amz-copy-source-'))).toThrow(
        expect.objectContaining({ code: 'PreconditionFailed' }),
      );
    },
  );
});
