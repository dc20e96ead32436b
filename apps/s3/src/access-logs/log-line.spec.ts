import { describe, expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import { logLineOf, type LoggedRequest } from './log-line.js';
import { REQUEST } from './logged-request.fixture.js';

const NOTHING: LoggedRequest = {
  ...REQUEST,
  requester: undefined,
  key: undefined,
  errorCode: 'AccessDenied',
  status: 403,
  bytesSent: 0,
  objectSize: undefined,
  turnAroundMs: undefined,
  referer: undefined,
  userAgent: '',
  versionId: undefined,
  signatureVersion: undefined,
  cipher: undefined,
  authType: undefined,
  host: undefined,
  tlsVersion: undefined,
};

/** The pattern of Amazon's own examples for parsing logs. */
const fieldsOf = (line: string): string[] => line.match(/\[[^\]]*\](?= )|"[^"]*"|\S+/g) ?? [];

it('a line has all fields in order', () => {
  expect(logLineOf(REQUEST)).toBe(
    'owner shop [06/Feb/2026:00:01:38 +0000] 192.0.2.3 arn:aws:iam::owner:user/u req-1 ' +
      'REST.GET.OBJECT a/b%20c%22%C3%A4 "GET /shop/a/b%20c%22%C3%A4?versionId=v HTTP/1.1" 200 - 5 7 12 4 ' +
      '"http://www.example.com/webservices" "curl/7.15.1" v req-1 SigV4 TLS_AES_128_GCM_SHA256 ' +
      'AuthHeader shop.localhost:9000 TLSv1.3 - -\n',
  );
});

it('an unknown field is a hyphen', () => {
  expect(logLineOf(NOTHING)).toBe(
    'owner shop [06/Feb/2026:00:01:38 +0000] 192.0.2.3 - req-1 REST.GET.OBJECT - ' +
      '"GET /shop/a/b%20c%22%C3%A4?versionId=v HTTP/1.1" 403 AccessDenied - - 12 - "-" "-" - req-1 ' +
      '- - - - - - -\n',
  );
});

it('nothing that a client sends can add a field or a line', () => {
  const fields = ['key', 'referer', 'userAgent', 'host', 'versionId', 'uri', 'method', 'requester'];
  forAllOf(storableText, (text) => {
    const line = logLineOf({ ...REQUEST, ...Object.fromEntries(fields.map((one) => [one, text])) });
    expect(line).toMatch(/^[\x20-\x5b\x5d-\x7e]+\n$/);
    expect(fieldsOf(line)).toHaveLength(26);
    expect(fieldsOf(line).at(-3)).toBe('TLSv1.3');
  });
});

describe('secrets are removed', () => {
  it.each([
    ['X-Amz-Signature=5ecret&x-id=a', 'X-Amz-Signature=REMOVED&x-id=a'],
    ['a&x-amz-security-token=5ecret', 'a&x-amz-security-token=REMOVED'],
    ['X-Amz%2DSignature=5ecret', 'X-Amz%2DSignature=REMOVED'],
    ['AWSAccessKeyId=k&Signature=5ecret', 'AWSAccessKeyId=k&Signature=REMOVED'],
    [
      'x-amz-server-side-encryption-customer-key=5ecret',
      'x-amz-server-side-encryption-customer-key=REMOVED',
    ],
    ['%zz=5ecret', '%zz=REMOVED'],
  ])('%s', (query, removed) => {
    const line = logLineOf({
      ...REQUEST,
      uri: `/shop/a?${query}`,
      referer: `https://u:5ecret@example.org/?${query}#5ecret`,
    });
    expect(line).not.toContain('5ecret');
    expect(line).toContain(`"GET /shop/a?${removed} HTTP/1.1"`);
    expect(line).toContain(`"https://example.org/?${removed}"`);
  });
});
