/** Signatures of version 4 as requests bring them, in their headers or in their address. */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { requireRecent, timestampOf } from './signature-check.js';
import { ALGORITHM, scopeOf, type Signed, timeOf } from './v4.js';

export interface SignedByHeader extends Signed {
  readonly signature: string;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * A signature of version 4 in the headers of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using the Authorization Header".
 *
 * @throws S3Error AuthorizationHeaderMalformed, AccessDenied, InvalidRequest
 */
export function signedByHeader(request: S3Request, authorization: string): SignedByHeader {
  const parts = partsOf(authorization);
  const need = (name: string): string =>
    parts.get(name) ??
    fail(`The authorization header is malformed; it requires the parameter ${name}.`);
  const [credential, names] = [need('Credential'), need('SignedHeaders')];
  const signature = need('Signature');
  if (!SIGNATURE.test(signature))
    fail('The authorization header is malformed; the Signature is not of 64 hexadecimal digits.');
  const scope = scopeOf(credential);
  if (!scope)
    throw new S3Error('AuthorizationHeaderMalformed', {
      message: `The authorization header is malformed; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request".`,
    });
  const signedHeaders = names.split(';');
  if (!signedHeaders.includes('host')) fail('The signed headers do not include host.');
  requireSigned(request.raw.headers, signedHeaders);
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

/** `Credential=…, SignedHeaders=…, Signature=…`, in any order. */
function partsOf(authorization: string): ReadonlyMap<string, string> {
  const items = authorization.slice(ALGORITHM.length).split(',');
  return new Map(
    items.map((item) => {
      const text = item.trim();
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

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

/** Seconds that an address may be good for: a week. */
const MAX_EXPIRES = 604_800;
const SKEW_MS = 15 * 60_000;
const PAYLOAD = 'x-amz-content-sha256';

/**
 * A signature of version 4 in the address of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using Query Parameters".
 *
 * @throws S3Error AuthorizationQueryParametersError, AccessDenied once it has expired
 */
export function signedByQuery(request: S3Request, now = Date.now()): SignedByHeader {
  const { query } = request;
  const need = (name: string): string =>
    query.get(name) ??
    failQuery(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  if (need('X-Amz-Algorithm') !== ALGORITHM)
    failQuery('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"');
  const scope =
    scopeOf(need('X-Amz-Credential')) ??
    failQuery(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request".',
    );
  const time = need('X-Amz-Date');
  const signedAt =
    timeOf(time) ??
    failQuery("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  if (time.slice(0, 8) !== scope.date)
    failQuery(
      `Invalid credential date "${scope.date}". This date is not the same as X-Amz-Date: "${time.slice(0, 8)}".`,
    );
  const expires = need('X-Amz-Expires');
  if (!/^-?\d{1,12}$/.test(expires)) failQuery('X-Amz-Expires should be a number');
  const seconds = Number(expires);
  if (seconds < 0) failQuery('X-Amz-Expires must be non-negative');
  if (seconds > MAX_EXPIRES)
    failQuery(
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
  if (!signedHeaders.includes('host')) failQuery('X-Amz-SignedHeaders must include host.');
  requireSigned(request.raw.headers, signedHeaders);
  const payload =
    query.get('X-Amz-Content-Sha256') ??
    (signedHeaders.includes(PAYLOAD) ? headerOf(request, PAYLOAD) : undefined) ??
    'UNSIGNED-PAYLOAD';
  return { scope, time, signedAt, signedHeaders, payload, signature };
}

function failQuery(message: string): never {
  throw new S3Error('AuthorizationQueryParametersError', { message });
}

/** The signature is over its value all the same, and some clients add it after they have signed. */
const MAY_BE_UNSIGNED = new Set(['x-amz-content-sha256']);

/**
 * Nobody on the way may add what changes the meaning of a request.
 * @param headers as they were sent
 * @throws S3Error AccessDenied
 */
function requireSigned(headers: IncomingHttpHeaders, signedHeaders: readonly string[]): void {
  const unsigned = Object.keys(headers).filter(
    (name) =>
      name.startsWith('x-amz-') && !signedHeaders.includes(name) && !MAY_BE_UNSIGNED.has(name),
  );
  if (unsigned.length === 0) return;
  throw new S3Error('AccessDenied', {
    message: 'There were headers present in the request which were not signed',
    details: { HeadersNotSigned: unsigned.join(', ') },
  });
}
