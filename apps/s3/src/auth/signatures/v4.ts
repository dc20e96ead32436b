/**
 * Signatures of version 4, in headers or in the URL: their parts, the signed text, and the computation.
 * Public source: AWS Signature Version 4 for API requests, "Elements of a request signature".
 */
import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders } from 'node:http';
import { type S3Request, headerOf } from '../../http/s3-request.js';
import { S3Error } from '../../http/s3-error.js';
import { requireRecent, timestampOf } from '../caller.js';

/** `20261123/us-east-1/s3/aws4_request` */
export interface Scope {
  readonly access: string;
  /** `20261123` */
  readonly date: string;
  readonly region: string;
}

export const ALGORITHM = 'AWS4-HMAC-SHA256';

const CREDENTIAL = /^([\x21-\x7e]+)\/(\d{8})\/([a-zA-Z0-9-]{1,64})\/s3\/aws4_request$/;
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** @param credential `<access key>/<date>/<region>/s3/aws4_request`; undefined if it is none */
export function scopeOf(credential: string): Scope | undefined {
  const [, access, date, region] = CREDENTIAL.exec(credential) ?? [];
  if (access === undefined || date === undefined || region === undefined) return undefined;
  return { access, date, region };
}

export function scopeText({ date, region }: Scope): string {
  return `${date}/${region}/s3/aws4_request`;
}

/** @param text `20261123T101500Z` @returns milliseconds since the epoch, or undefined */
export function timeOf(text: string): number | undefined {
  const [, ...parts] = TIME.exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export interface Signed {
  readonly scope: Scope;
  /** `20261123T101500Z` */
  readonly time: string;
  /** Lower-case, in the order in which they are signed. */
  readonly signedHeaders: readonly string[];
  /** `x-amz-content-sha256`, or its replacement. */
  readonly payload: string;
}

type Sent = Pick<S3Request, 'method' | 'rawPath' | 'rawQuery' | 'headers' | 'host'>;

/**
 * The canonical request, as text of which each character is a byte, as in headers. Pure. Public
 * source: AWS Signature Version 4 for API requests, "Create a signed AWS API request"; of S3, paths
 * are encoded once and are not normalised.
 */
export function canonicalRequest(request: Sent, { signedHeaders, payload }: Signed): string {
  const headers = signedHeaders.map((name) => `${name}:${valueOf(request, name)}\n`);
  return [
    request.method,
    encodedPath(request.rawPath),
    canonicalQuery(request.rawQuery),
    headers.join(''),
    signedHeaders.join(';'),
    payload,
  ].join('\n');
}

export function stringToSign(canonical: string, { time, scope }: Signed): string {
  const hash = createHash('sha256').update(canonical, 'latin1').digest('hex');
  return [ALGORITHM, time, scopeText(scope), hash].join('\n');
}

function valueOf({ headers, host }: Sent, name: string): string {
  const value = name === 'host' ? host : headers[name];
  return [value ?? ''].flat().join(',').trim().replaceAll(/ +/g, ' ');
}

/** Clients may send characters plain that the signature has encoded, or the other way round. */
function encodedPath(path: string): string {
  return path.split('/').map(encodedAnew).join('/');
}

/** Sorted by encoded name, then value, without the signature itself. */
function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return [encodedAnew(name.replaceAll('+', '%20')), encodedAnew(value.replaceAll('+', '%20'))];
    });
  return pairs
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${name}=${value}`)
    .sort(byBytes)
    .join('&');
}

function byBytes(one: string, other: string): number {
  const [first = one, second = other] = [one, other].map((pair) => pair.replace('=', '\u0000'));
  return first < second ? -1 : Number(first > second);
}

/** Encodes all but unreserved characters (RFC 3986); a malformed escape stays as it is. */
function encodedAnew(text: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    return text;
  }
  return encodeURIComponent(plain).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const keys = new LRUCache<string, Buffer>({ max: 1_000 });

/**
 * The key that a day's signatures are made with. It is derived from the secret in four steps, which
 * cost more than a signature, so the last ones are kept.
 */
export function signingKey(secret: string, { access, date, region }: Scope): Buffer {
  const name = [secret, access, date, region].join('\n');
  const known = keys.get(name);
  if (known) return known;
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer>(
    (former, part) => hmac(former, part),
    Buffer.from(`AWS4${secret}`),
  );
  keys.set(name, key);
  return key;
}

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export interface SignedByHeader extends Signed {
  readonly signature: string;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
}

const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * A signature of version 4 in the headers of a request. Public source: Amazon S3 API reference,
 * "Authenticating Requests: Using the Authorization Header".
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

/** Its value is part of the signed text anyway, and some clients add it after signing. */
const MAY_BE_UNSIGNED = new Set(['x-amz-content-sha256']);

/**
 * Requires signatures of the headers that change the meaning of a request, so that nobody can add them
 * on the way.
 * @param headers as they were sent
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
