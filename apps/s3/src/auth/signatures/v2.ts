/**
 * A signature of version 2, in the headers of a request or in its address. Public source: Amazon S3
 * user guide, "Signing and authenticating REST requests (AWS signature version 2)".
 */
import { createHmac } from 'node:crypto';
import { S3Error } from '../../http/s3-error.js';
import { CONTENT_HEADERS, headerOf, type S3Request } from '../../http/s3-request.js';
import { requireRecent, timestampOf } from '../caller.js';
import { timeOf } from './v4.js';

export interface SignedV2 {
  readonly access: string;
  readonly signature: string;
  readonly date: string;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

const HEADER = /^AWS\s+([\x21-\x39\x3b-\x7e]+):([A-Za-z0-9+/]+={0,2})$/;

/** @throws S3Error UnsupportedSignature, InvalidArgument, AccessDenied, RequestTimeTooSkewed */
export function signedV2(request: S3Request, authorization: string | undefined): SignedV2 {
  return authorization === undefined
    ? signedByQuery(request)
    : signedByHeader(request, authorization);
}

function signedByHeader(request: S3Request, authorization: string): SignedV2 {
  if (!/^AWS\s/.test(authorization))
    throw new S3Error('InvalidArgument', {
      message: 'Unsupported Authorization Type',
      details: { ArgumentName: 'Authorization' },
    });
  const [, access, signature] = HEADER.exec(authorization.trim()) ?? [];
  if (access === undefined || signature === undefined)
    throw new S3Error('InvalidArgument', {
      message: 'AWS authorization header is invalid.  Expected AwsAccessKeyId:signature',
    });
  const amz = headerOf(request, 'x-amz-date');
  const date = headerOf(request, 'date') ?? '';
  const signedAt = amz === undefined ? timestampOf(date) : (timeOf(amz) ?? timestampOf(amz));
  requireRecent(signedAt);
  return { access, signature, date, signedAt };
}

function signedByQuery({ query }: S3Request, now = Date.now()): SignedV2 {
  const [access, signature, date] = ['AWSAccessKeyId', 'Signature', 'Expires'].map(
    (name) => query.get(name) ?? '',
  );
  if (!access || !signature || !date)
    throw new S3Error('AccessDenied', {
      message:
        'Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters',
    });
  const expires = Number(date) * 1000;
  if (!Number.isFinite(expires) || expires < now)
    throw new S3Error('AccessDenied', {
      message: 'Request has expired',
      details: { Expires: date, ServerTime: new Date(now).toISOString() },
    });
  return { access, signature, date, signedAt: now };
}

/** Query parameters that are part of the resource. */
const SUB_RESOURCES = new Set([
  'accelerate',
  'acl',
  'analytics',
  'cors',
  'defaultObjectAcl',
  'delete',
  'encryption',
  'inventory',
  'lifecycle',
  'location',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policy',
  'policyStatus',
  'publicAccessBlock',
  'replication',
  'requestPayment',
  ...CONTENT_HEADERS.map((name) => `response-${name}`),
  'restore',
  'retention',
  'legal-hold',
  'select',
  'select-type',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
  'versions',
  'website',
  'attributes',
  'intelligent-tiering',
  'append',
  'position',
]);

type Sent = Pick<S3Request, 'method' | 'rawPath' | 'query' | 'headers' | 'address'>;

/**
 * The string to sign of version 2, as text of which each character is a byte, as in headers.
 * Pure. Public source: Amazon S3 user guide, "Signing and
 * authenticating REST requests (AWS signature version 2)".
 * @param date of the Date header, or when a presigned address expires
 */
export function stringToSignV2(request: Sent, date: string): string {
  const { method, headers } = request;
  const header = (name: string): string => [headers[name] ?? ''].flat().join(',');
  const amz = Object.keys(headers)
    .filter((name) => name.startsWith('x-amz-'))
    .sort()
    .map((name) => `${name}:${header(name).trim()}\n`);
  // An x-amz-date is among the x-amz headers.
  const at = headers['x-amz-date'] === undefined ? date : '';
  return [
    method,
    header('content-md5'),
    header('content-type'),
    at,
    amz.join('') + resourceOf(request),
  ].join('\n');
}

export function signV2(secret: string, text: string): string {
  return createHmac('sha1', secret).update(text, 'latin1').digest('base64');
}

function resourceOf({ rawPath, query, address }: Sent): string {
  const path = address.isHostStyle ? `/${address.bucket?.name ?? ''}${rawPath}` : rawPath;
  const named = [...query]
    .filter(([name]) => SUB_RESOURCES.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) =>
      value === '' ? name : `${name}=${Buffer.from(value).toString('latin1')}`,
    );
  return named.length === 0 ? path : `${path}?${named.join('&')}`;
}
