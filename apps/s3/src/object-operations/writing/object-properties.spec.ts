import { describe, expect, it } from '@jest/globals';
import { contentHeadersOf, metadataHeaders, metadataOf } from './object-properties.js';

describe('the headers of an object', () => {
  it('describe its content', () => {
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

  it('include a default content type', () => {
    expect(contentHeadersOf({})).toEqual({ 'content-type': 'binary/octet-stream' });
  });

  it.each([
    ['aws-chunked', undefined],
    ['gzip,aws-chunked', 'gzip'],
    ['aws-chunked, gzip', 'gzip'],
    ['', undefined],
  ])('omit the transfer encoding of the request: %s', (encoding, stored) => {
    expect(contentHeadersOf({ 'content-encoding': encoding })['content-encoding']).toBe(stored);
  });

  it.each(['a', 'ftp://a', `/${'a'.repeat(2048)}`])('cannot redirect to %s', (location) => {
    expect(() => contentHeadersOf({ 'x-amz-website-redirect-location': location })).toThrow(
      expect.objectContaining({ code: 'InvalidRedirectLocation' }),
    );
  });
});

/** The form in which Node returns a header with UTF-8 bytes. */
function received(text: string): string {
  return Buffer.from(text).toString('latin1');
}

describe('metadata', () => {
  it('is read from headers with its prefix', () => {
    expect(
      metadataOf({ 'x-amz-meta-a': '1', 'x-amz-acl': 'private', 'x-amz-meta-b-c': '' }),
    ).toEqual({
      a: '1',
      'b-c': '',
    });
  });

  it('is returned unchanged if it is ASCII', () => {
    const headers = { 'x-amz-meta-a': ' =?UTF-8?Q?=C3=A4?= ~' };
    expect(metadataHeaders(metadataOf(headers))).toEqual(headers);
  });

  it('that is not ASCII is returned in encoded words', () => {
    const text = 'größe ✓ '.repeat(12);
    const { 'x-amz-meta-a': header = '' } = metadataHeaders(
      metadataOf({ 'x-amz-meta-a': received(text) }),
    );
    const words = header.split(' ');
    expect(
      words.every((word) => /^=\?UTF-8\?B\?[\w+/=]+\?=$/.test(word) && word.length <= 75),
    ).toBe(true);
    const decoded = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString());
    expect(decoded.join('')).toBe(text);
  });

  it('may be Latin-1', () => {
    expect(metadataOf({ 'x-amz-meta-a': 'gr\xf6\xdfe' })).toEqual({ a: 'größe' });
  });

  it('has at most 2 KiB of names and values', () => {
    expect(metadataOf({ 'x-amz-meta-a': 'v'.repeat(2047) })).toBeDefined();
    expect(() => metadataOf({ 'x-amz-meta-a': 'v'.repeat(2047), 'x-amz-meta-b': '' })).toThrow(
      expect.objectContaining({
        code: 'MetadataTooLarge',
        details: { Size: 2049, MaxSizeAllowed: 2048 },
      }),
    );
  });
});
