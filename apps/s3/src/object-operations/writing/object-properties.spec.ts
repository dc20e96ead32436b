import { describe, expect, it } from '@jest/globals';
import { contentHeadersOf } from './object-properties.js';

describe('the headers of an object', () => {
  it('are those that describe its content', () => {
    const stored = {
      'cache-control': 'no-cache',
      'content-disposition': 'attachment',
      'content-encoding': 'gzip',
      'content-language': 'de',
      'content-type': 'text/plain',
      expires: '0',
      'x-amz-website-redirect-location': '/a',
    };
    expect(contentHeadersOf({ ...stored, host: 'a', authorization: 'secret' })).toEqual(stored);
  });

  it('have a type even if nobody has named one', () => {
    expect(contentHeadersOf({})).toEqual({ 'content-type': 'binary/octet-stream' });
  });

  it.each([
    ['aws-chunked', undefined],
    ['gzip,aws-chunked', 'gzip'],
    ['aws-chunked, gzip', 'gzip'],
    ['', undefined],
  ])('do not say how a body came: %s', (encoding, stored) => {
    expect(contentHeadersOf({ 'content-encoding': encoding })['content-encoding']).toBe(stored);
  });

  it.each(['a', 'ftp://a', `/${'a'.repeat(2048)}`])('refuse to redirect to %s', (location) => {
    expect(() => contentHeadersOf({ 'x-amz-website-redirect-location': location })).toThrow(
      expect.objectContaining({ code: 'InvalidRedirectLocation' }),
    );
  });
});
