/** The required parts of signatures in headers and URLs. */
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { queryOf, type S3Request } from '../../http/s3-request.js';
import { signedByHeader, signedByQuery } from './v4.js';

const NOW = Date.UTC(2026, 10, 23, 10, 15);
const TIME = '20261123T101500Z';
const SIGNATURE = '0a'.repeat(32);
const CREDENTIAL = 'AKID/20261123/us-east-1/s3/aws4_request';
const HEADERS = { 'x-amz-date': TIME, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/** The result, or the code and message of the failure. */
function outcomeOf<T>(take: () => T): T | string {
  try {
    return take();
  } catch (error) {
    if (error instanceof S3Error) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const requestWith = (headers: Readonly<Record<string, string>>, query = ''): S3Request =>
  ({ headers, query: queryOf(query), raw: { headers } }) as unknown as S3Request;

describe('an Authorization header', () => {
  const header = (more: Readonly<Record<string, string | undefined>> = {}): string => {
    const parts: Record<string, string | undefined> = {
      Credential: CREDENTIAL,
      SignedHeaders: 'host;x-amz-date',
      ...more,
    };
    const named: Record<string, string | undefined> = { ...parts, Signature: SIGNATURE, ...more };
    const given = Object.entries(named).filter(([, value]) => value !== undefined);
    return `AWS4-HMAC-SHA256 ${given.map(([name, value]) => `${name}=${value}`).join(', ')}`;
  };
  const take = (text: string, headers: Readonly<Record<string, string>> = HEADERS) =>
    outcomeOf(() => signedByHeader(requestWith(headers), text));

  it('names the signer, the signed headers and the time', () => {
    const taken = {
      scope: { access: 'AKID', date: '20261123', region: 'us-east-1' },
      signedHeaders: ['host', 'x-amz-date'],
      time: TIME,
      signedAt: NOW,
      payload: 'UNSIGNED-PAYLOAD',
      signature: SIGNATURE,
    };
    expect(take(header())).toEqual(taken);
    expect(take(header().replaceAll(', ', ','))).toEqual(taken);
    const turned = `AWS4-HMAC-SHA256 ${header().slice(17).split(', ').reverse().join(', ')}`;
    expect(take(turned)).toEqual(taken);
  });

  it('uses Date if x-amz-date is missing', () => {
    const date = 'Mon, 23 Nov 2026 10:15:00 GMT';
    const headers = { date, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    expect(take(header(), headers)).toMatchObject({ time: TIME, signedAt: NOW });
  });

  it.each([
    ['no credential', { Credential: undefined }],
    ['no signature', { Signature: undefined }],
    ['no signed headers', { SignedHeaders: undefined }],
    ['an invalid signature', { Signature: 'abc' }],
    ['an unsigned host', { SignedHeaders: 'x-amz-date' }],
    ['a scope of another service', { Credential: CREDENTIAL.replace('s3', 'ec2') }],
    ['a scope without a region', { Credential: CREDENTIAL.replace('us-east-1', '') }],
    ['a scope of another day', { Credential: CREDENTIAL.replace('23', '22') }],
  ])('is malformed with %s', (_, more) => {
    expect(take(header(more))).toMatch(/^AuthorizationHeaderMalformed: /);
  });

  it.each([
    ['no date', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }, /^AccessDenied: .*Date/],
    ['an invalid date', { ...HEADERS, 'x-amz-date': 'now' }, /^AccessDenied: .*date/],
    ['no payload hash', { 'x-amz-date': TIME }, /^InvalidRequest: .*x-amz-content-sha256/],
    ['an unsigned header', { ...HEADERS, 'x-amz-acl': 'private' }, /^AccessDenied: .*not signed/],
  ])('is refused with %s', (_, headers, failure) => {
    expect(take(header(), headers)).toMatch(failure);
  });
});

describe('a presigned URL', () => {
  const query = (more: Readonly<Record<string, string | undefined>> = {}): string => {
    const parts: Record<string, string | undefined> = {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': CREDENTIAL,
      'X-Amz-Date': TIME,
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': SIGNATURE,
      ...more,
    };
    const given = Object.entries(parts).filter(([, value]) => value !== undefined);
    return given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
  };
  const take = (text: string, headers: Readonly<Record<string, string>> = {}, now = NOW) =>
    outcomeOf(() => signedByQuery(requestWith(headers, text), now));

  it('is valid until it expires, to the second', () => {
    const taken = { time: TIME, signedAt: NOW, payload: 'UNSIGNED-PAYLOAD', signature: SIGNATURE };
    expect(take(query(), {}, NOW + 60_000)).toMatchObject(taken);
    expect(take(query(), {}, NOW + 60_001)).toBe('AccessDenied: Request has expired');
    expect(take(query({ 'X-Amz-Expires': '0' }))).toBe('AccessDenied: Request has expired');
    expect(take(query({ 'X-Amz-Expires': '604800' }), {}, NOW + 604_800_000)).toMatchObject(taken);
  });

  it('is invalid before it was signed, except for clock skew', () => {
    expect(take(query(), {}, NOW - 15 * 60_000)).toMatchObject({ signedAt: NOW });
    expect(take(query(), {}, NOW - 15 * 60_000 - 1)).toMatch(/^RequestTimeTooSkewed: /);
  });

  it('may name the hash of the signed payload', () => {
    const hash = 'ab'.repeat(32);
    expect(take(query({ 'X-Amz-Content-Sha256': hash }))).toMatchObject({ payload: hash });
    const signed = query({ 'X-Amz-SignedHeaders': 'host;x-amz-content-sha256' });
    const headers = { 'x-amz-content-sha256': hash };
    expect(take(signed, headers)).toMatchObject({ payload: hash });
    expect(take(query(), headers)).toMatchObject({ payload: 'UNSIGNED-PAYLOAD' });
  });

  it.each([
    ['X-Amz-Algorithm', undefined],
    ['X-Amz-Algorithm', 'AWS4-ECDSA-P256-SHA256'],
    ['X-Amz-Credential', undefined],
    ['X-Amz-Credential', 'AKID'],
    ['X-Amz-Credential', CREDENTIAL.replace('23', '24')],
    ['X-Amz-Date', undefined],
    ['X-Amz-Date', '2026-11-23'],
    ['X-Amz-Expires', undefined],
    ['X-Amz-Expires', 'soon'],
    ['X-Amz-Expires', '-1'],
    ['X-Amz-Expires', '604801'],
    ['X-Amz-SignedHeaders', undefined],
    ['X-Amz-SignedHeaders', 'range'],
    ['X-Amz-Signature', undefined],
  ])('is malformed if %s is %s', (name, value) => {
    expect(take(query({ [name]: value }))).toMatch(/^AuthorizationQueryParametersError: /);
  });

  it('does not let its holder add a header that changes its meaning', () => {
    const acl = { 'x-amz-acl': 'public-read' };
    expect(take(query(), acl)).toMatch(/^AccessDenied: .*not signed/);
    const signed = query({ 'X-Amz-SignedHeaders': 'host;x-amz-acl' });
    expect(take(signed, acl)).toMatchObject({ signature: SIGNATURE });
  });
});
