/**
 * A signature of version 4 in the headers of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using the Authorization Header".
 */
import { S3Error } from '../../http/s3-error.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { timestampOf } from '../date-header.js';
import type { Signed } from './canonical-request.js';
import { ALGORITHM, scopeOf, timeOf } from './scope.js';
import { requireSigned } from './signed-headers.js';

export interface SignedByHeader extends Signed {
  readonly signature: string;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

const SIGNATURE = /^[0-9a-f]{64}$/;

/** @throws S3Error AuthorizationHeaderMalformed, AccessDenied, InvalidRequest */
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
