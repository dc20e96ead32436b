/**
 * A signature of version 2, in the headers of a request or in its address. Public source: Amazon S3
 * user guide, "Signing and authenticating REST requests (AWS signature version 2)".
 */
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { requireRecent } from '../clock.js';
import { timestampOf } from '../date-header.js';
import { timeOf } from '../v4/scope.js';

export interface SignedV2 {
  readonly access: string;
  readonly signature: string;
  /** As it is signed. */
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
