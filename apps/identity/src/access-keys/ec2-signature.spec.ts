/** The signatures are those that keystoneclient's `Ec2Signer` makes of the same requests. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignedBy, isTextSignedBy, type SignedRequest } from './ec2-signature.js';

const SECRET = 'the secret';
const params = {
  Action: 'Describe Instances',
  Timestamp: '2026-01-31T12:00:00Z',
  AWSAccessKeyId: 'key',
  b: 'ä/~*',
  Version: '2010',
};
function signing(headers: string): string {
  const credential = 'Credential=key/20260131/RegionOne/ec2/aws4_request';
  return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${headers}, Signature=00`;
}
const V4 = {
  Host: 'ec2.example:8773',
  'X-Amz-Date': '20260131T120000Z',
  'Content-Type': ' text/plain ',
  Authorization: signing('content-type;host;x-absent;x-amz-date'),
};
const QUERY = {
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': 'key/20260131/RegionOne/ec2/aws4_request',
  'X-Amz-Date': '20260131T120000Z',
  'X-Amz-SignedHeaders': 'host',
};

function request(fields: Partial<SignedRequest>): SignedRequest {
  return {
    verb: 'GET',
    host: 'ec2.example:8773',
    path: '/services/Cloud/',
    params,
    headers: {},
    bodyHash: createHash('sha256').update('').digest('hex'),
    ...fields,
  };
}

const version = (SignatureVersion: string): SignedRequest =>
  request({ params: { ...params, SignatureVersion } });
const host = { Host: 'ec2.example:8773' };

const SIGNED: [string, SignedRequest, string][] = [
  ['0', version('0'), 'gULaq7CdwHVY6NRIzNBARULgOiE='],
  ['1', version('1'), 'He3hioxdxcDrUbaaodEPAAiHM3o='],
  ['2', version('2'), 'XEz18kjrYTsvo41Vu2VLrHt3gqbYuSGqygpQbyVfApw='],
  ['2, without the port', version('2'), '3wgCdBZfEzPSMesMs6cOsyPIkOK7isZpOs4rrB/uvMs='],
  [
    '4',
    request({ headers: V4 }),
    'ed87d8ddca2d355b423bb3890646c43a726bb0f74a3671763de38fa175b64867',
  ],
  [
    '4, of no header',
    request({ headers: { ...V4, Authorization: signing('') } }),
    '824d42b929ee8c215abc620f73fda1a1cf637d0744c328679e76c7a6adad1fad',
  ],
  [
    '4, of a header that is not there',
    request({ headers: { ...V4, Authorization: signing('x-absent') } }),
    '0e03f751a02e20d3d3f3450959128427615b746f84abb63cf7605406fd2fd00e',
  ],
  [
    '4, of a POST',
    request({ headers: V4, verb: 'POST' }),
    '4a6ae838f5f6e394a272183eaa42156652d513a1a522d94f1f4af50cb175c67a',
  ],
  [
    '4, in the query',
    request({ params: { ...params, ...QUERY, 'X-Amz-Signature': '00' }, headers: host }),
    '42d01837eaec825234817c2f072d74379302a3e4b411d0cc96d7c4b96e2011b2',
  ],
];

describe('isSignedBy', () => {
  it.each(SIGNED)('verifies version %s', (_, signed, signature) => {
    expect(isSignedBy(SECRET, signed, signature)).toBe(true);
    expect(isSignedBy('another', signed, signature)).toBe(false);
    expect(isSignedBy(SECRET, { ...signed, params: { ...signed.params, Action: 'x' } }, '')).toBe(
      false,
    );
  });

  it.each<[string, Partial<SignedRequest>]>([
    ['no version', {}],
    ['an unknown version', { params: { ...params, SignatureVersion: '3' } }],
    ['another date than its scope', { headers: { ...V4, 'X-Amz-Date': '20260201T120000Z' } }],
    ['no scope', { headers: { ...V4, Authorization: 'AWS4-HMAC-SHA256 ' } }],
  ])('knows none of a request with %s', (_, fields) => {
    expect(isSignedBy(SECRET, request(fields), '')).toBe(false);
  });
});

describe('isTextSignedBy', () => {
  const old = 'PUT\n\n\nSat, 31 Jan 2026 12:00:00 GMT\n/bucket/ob';
  const scope = '20260131/RegionOne/s3/aws4_request';
  const textIn = (where: string): string =>
    `AWS4-HMAC-SHA256\n20260131T120000Z\n${where}\n${'ab'.repeat(32)}`;
  const signature = '00b26f83370725e280aa438d704d31774d95d4b352bdf2ddfafb996662380353';

  it('verifies both versions', () => {
    expect(isTextSignedBy(SECRET, old, 'n6YWHyPOb5zhg330DeXrXBl3nSo=')).toBe(true);
    expect(isTextSignedBy(SECRET, textIn(scope), signature)).toBe(true);
    expect(isTextSignedBy('another', textIn(scope), signature)).toBe(false);
  });

  it.each([
    scope.replace('s3', 'ec2'),
    scope.replace('aws4_request', 'x'),
    scope.replace('/s3', ''),
    `${scope}\nx`,
  ])('knows none in the scope %j', (other) => {
    expect(isTextSignedBy(SECRET, textIn(other), signature)).toBe(false);
  });
});
