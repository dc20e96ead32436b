/** Against the examples that Amazon publishes with its description of the signatures. */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalRequest, hmac, type Signed, signingKey, stringToSign } from './v4.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const TIME = '20130524T000000Z';
const SCOPE = { access: 'AKIAIOSFODNN7EXAMPLE', date: '20130524', region: 'us-east-1' };
const ALWAYS = { 'x-amz-date': TIME, 'x-amz-content-sha256': EMPTY };
const SIGNED = 'host;x-amz-content-sha256;x-amz-date';

interface Example {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signed?: string;
  readonly payload?: string;
}

function textOf({ method = 'GET', path = '/', query = '', ...more }: Example): [string, Signed] {
  const { headers = ALWAYS, signed = SIGNED, payload = EMPTY } = more;
  const of = { scope: SCOPE, time: TIME, signedHeaders: signed.split(';'), payload };
  const host = 'examplebucket.s3.amazonaws.com';
  return [canonicalRequest({ method, rawPath: path, rawQuery: query, headers, host }, of), of];
}

const signatureOf = (example: Example): string => {
  const [text, signed] = textOf(example);
  return hmac(signingKey(SECRET, SCOPE), stringToSign(text, signed)).toString('hex');
};

describe('a version 4 signature', () => {
  it('covers a range of an object', () => {
    const signature = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41';
    const headers = { ...ALWAYS, range: 'bytes=0-9' };
    const signed = 'host;range;x-amz-content-sha256;x-amz-date';
    expect(signatureOf({ path: '/test.txt', headers, signed })).toBe(signature);
  });

  it('covers an object whose key is encoded', () => {
    const payload = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';
    const headers = {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-date': TIME,
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': payload,
    };
    const signed = 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class';
    const put = { method: 'PUT', headers, signed, payload };
    const signature = '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd';
    expect(signatureOf({ ...put, path: '/test$file.text' })).toBe(signature);
    expect(signatureOf({ ...put, path: '/test%24file.text' })).toBe(signature);
  });

  it.each([
    ['lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
    ['prefix=J&max-keys=2', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('covers the query %s', (query, signature) => {
    expect(signatureOf({ query })).toBe(signature);
  });

  it('can be in a URL', () => {
    const signature = 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
    const query = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      'X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request',
      `X-Amz-Date=${TIME}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host`,
      `X-Amz-Signature=${signature}`,
    ].join('&');
    const get = { path: '/test.txt', query, headers: {}, signed: 'host' };
    expect(signatureOf({ ...get, payload: 'UNSIGNED-PAYLOAD' })).toBe(signature);
  });
});

describe('the string to sign', () => {
  it('encodes paths and queries in one way, however they were sent', () => {
    const one = textOf({ path: "/a b/~!'()*//ä/./..", query: 'b=%7e+c&a&b=%2b&B=' });
    const other = textOf({
      path: '/a%20b/%7E%21%27%28%29%2A//%c3%a4/./..',
      query: 'B&a=&b=%2B&b=~%20c',
    });
    expect(one).toEqual(other);
    expect(one[0].split('\n').slice(1, 3)).toEqual([
      '/a%20b/~%21%27%28%29%2A//%C3%A4/./..',
      'B=&a=&b=%2B&b=~%20c',
    ]);
  });

  it('sorts a name before those that start with it', () => {
    const [text] = textOf({ query: 'a-b=1&a=2&a=1&a%3D=3' });
    expect(text.split('\n')[2]).toBe('a=1&a=2&a%3D=3&a-b=1');
  });

  it('strips superfluous spaces from header values', () => {
    const headers = { 'x-amz-meta-a': '  b   c ' };
    const [text] = textOf({ headers, signed: 'x-amz-meta-a' });
    expect(text).toContain('\nx-amz-meta-a:b c\n');
  });

  it("has the original bytes of headers, not Node's decoding of them", () => {
    const sent = Buffer.from('grün').toString('latin1');
    const signed = 'x-amz-meta-a';
    const signature = signatureOf({ headers: { 'x-amz-meta-a': sent }, signed });
    // Computed apart, over UTF-8.
    const of = '\n/\n\nx-amz-meta-a:gr\u00fcn\n\nx-amz-meta-a\n';
    const hash = createHash('sha256').update(`GET${of}${EMPTY}`).digest('hex');
    const text = `AWS4-HMAC-SHA256\n${TIME}\n20130524/us-east-1/s3/aws4_request\n${hash}`;
    const key = signingKey(SECRET, SCOPE);
    expect(signature).toBe(createHmac('sha256', key).update(text).digest('hex'));
  });
});
