/**
 * A signature of version 4 in the address of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using Query Parameters".
 */
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { requireRecent } from '../clock.js';
import type { SignedByHeader } from './authorization-header.js';
import { ALGORITHM, scopeOf, timeOf } from './scope.js';
import { requireSigned } from './signed-headers.js';

/** Seconds that an address may be good for: a week. */
const MAX_EXPIRES = 604_800;
const SKEW_MS = 15 * 60_000;
const PAYLOAD = 'x-amz-content-sha256';

/** @throws S3Error AuthorizationQueryParametersError, AccessDenied once it has expired */
export function signedByQuery(request: S3Request, now = Date.now()): SignedByHeader {
  const { query } = request;
  const need = (name: string): string =>
    query.get(name) ??
    fail(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  if (need('X-Amz-Algorithm') !== ALGORITHM)
    fail('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"');
  const scope =
    scopeOf(need('X-Amz-Credential')) ??
    fail(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request".',
    );
  const time = need('X-Amz-Date');
  const signedAt =
    timeOf(time) ?? fail("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  if (time.slice(0, 8) !== scope.date)
    fail(
      `Invalid credential date "${scope.date}". This date is not the same as X-Amz-Date: "${time.slice(0, 8)}".`,
    );
  const expires = need('X-Amz-Expires');
  if (!/^-?\d{1,12}$/.test(expires)) fail('X-Amz-Expires should be a number');
  const seconds = Number(expires);
  if (seconds < 0) fail('X-Amz-Expires must be non-negative');
  if (seconds > MAX_EXPIRES)
    fail(
      `X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than ${MAX_EXPIRES} seconds`,
    );
  if (signedAt > now + SKEW_MS) requireRecent(signedAt, now);
  if (seconds === 0 || signedAt + seconds * 1000 < now)
    throw new S3Error('AccessDenied', {
      message: 'Request has expired',
      details: {
        'X-Amz-Expires': seconds,
        Expires: new Date(signedAt + seconds * 1000).toISOString(),
        ServerTime: new Date(now).toISOString(),
      },
    });
  const signature = need('X-Amz-Signature');
  const signedHeaders = need('X-Amz-SignedHeaders').split(';');
  if (!signedHeaders.includes('host')) fail('X-Amz-SignedHeaders must include host.');
  requireSigned(request.raw.headers, signedHeaders);
  const payload =
    query.get('X-Amz-Content-Sha256') ??
    (signedHeaders.includes(PAYLOAD) ? headerOf(request, PAYLOAD) : undefined) ??
    'UNSIGNED-PAYLOAD';
  return { scope, time, signedAt, signedHeaders, payload, signature };
}

function fail(message: string): never {
  throw new S3Error('AuthorizationQueryParametersError', { message });
}
