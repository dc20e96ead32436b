/**
 * A signature of version 4 in the headers of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using the Authorization Header".
 */
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { timestampOf } from '../date-header.js';
import type { Signed } from './canonical-request.js';
import { ALGORITHM, scopeOf, timeOf } from './scope.js';

export interface SignedByHeader extends Signed {
  readonly signature: string;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

const PARTS =
  /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+)\s*,\s*SignedHeaders=([^,\s]+)\s*,\s*Signature=([0-9a-f]{64})$/;

/** @throws S3Error AuthorizationHeaderMalformed, AccessDenied, InvalidRequest */
export function signedByHeader(request: S3Request, authorization: string): SignedByHeader {
  const [, credential = '', names = '', signature = ''] =
    PARTS.exec(authorization.trim()) ?? fail('The authorization header is malformed.');
  const scope = scopeOf(credential);
  if (!scope)
    throw new S3Error('AuthorizationHeaderMalformed', {
      message: `The authorization header is malformed; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request".`,
    });
  const signedHeaders = names.split(';');
  if (!signedHeaders.includes('host')) fail('The signed headers do not include host.');
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-amz-') && !signedHeaders.includes(name) && !MAY_BE_UNSIGNED.has(name))
      throw new S3Error('AccessDenied', {
        message: 'There were headers present in the request which were not signed',
        details: { HeadersNotSigned: name },
      });
  const { time, signedAt } = signingTime(request);
  if (time.slice(0, 8) !== scope.date)
    fail(`The date of the Credential, ${scope.date}, is not that of the request, ${time}.`);
  const payload = headerOf(request, 'x-amz-content-sha256');
  if (payload === undefined)
    throw new S3Error('InvalidRequest', {
      message: 'Missing required header for this request: x-amz-content-sha256',
    });
  return { scope, time, signedAt, signedHeaders, payload, signature };
}

/** Some clients add it after they have signed. */
const MAY_BE_UNSIGNED = new Set(['x-amz-content-sha256']);

function signingTime(request: S3Request): { time: string; signedAt: number } {
  const given = headerOf(request, 'x-amz-date');
  if (given !== undefined) {
    const signedAt = timeOf(given);
    if (signedAt !== undefined) return { time: given, signedAt };
    throw new S3Error('AccessDenied', {
      message: 'AWS authentication requires a valid Date or x-amz-date header',
    });
  }
  const signedAt = timestampOf(headerOf(request, 'date'));
  const time = new Date(signedAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return { time, signedAt };
}

export function isVersion4(authorization: string): boolean {
  return authorization.startsWith(ALGORITHM);
}

function fail(message: string): never {
  throw new S3Error('AuthorizationHeaderMalformed', { message });
}
