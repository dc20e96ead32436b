/**
 * Signatures that EC2's and S3's clients make with an access key. Pure. Public source:
 * `keystoneclient/contrib/ec2/utils.py` and `keystone/api/s3tokens.py`, after AWS's "Signature
 * Version 2" and "Signature Version 4".
 */
import { createHash, createHmac, timingSafeEqual, type BinaryLike } from 'node:crypto';

type Texts = Readonly<Record<string, string>>;

export interface SignedRequest {
  readonly verb: string;
  readonly host: string;
  readonly path: string;
  readonly params: Texts;
  readonly headers: Texts;
  /** The SHA-256 of the body in hexadecimal; version 4 signs it. */
  readonly bodyHash: string;
}

const V4 = 'AWS4-HMAC-SHA256';
const V4_END = 'aws4_request';
/** The services that the scope of a signed string may name. */
const S3_SERVICES = ['s3', 'iam', 'sts'];

/** Also accepts a signature without the port of the host, as some clients make it. */
export function isSignedBy(secret: string, request: SignedRequest, signature: string): boolean {
  const hosts = new Set([request.host, request.host.replace(/:\d+$/, '')]);
  return [...hosts].some((host) => isSame(signatureOf(secret, { ...request, host }), signature));
}

/** @param text the string to sign, which begins with its version */
export function isTextSignedBy(secret: string, text: string, signature: string): boolean {
  if (!text.startsWith('AWS4'))
    return isSame(hmac('sha1', secret, text).toString('base64'), signature);
  const [algorithm, , scope = '', ...rest] = text.split('\n');
  const service = scope.split('/')[2] ?? '';
  if (algorithm !== V4 || rest.length !== 1 || !S3_SERVICES.includes(service)) return false;
  return isSame(v4Signature(secret, scope, text), signature);
}

/** Undefined for an unknown version. */
function signatureOf(secret: string, request: SignedRequest): string | undefined {
  const { params, headers, verb, host, path } = request;
  const version = params['SignatureVersion'];
  if (version === '0') {
    const text = `${params['Action'] ?? ''}${params['Timestamp'] ?? ''}`;
    return hmac('sha1', secret, text).toString('base64');
  }
  if (version === '1') {
    const sorted = Object.entries(params).sort(([a], [b]) => compare(lower(a), lower(b)));
    return hmac('sha1', secret, sorted.flat().join('')).toString('base64');
  }
  if (version === '2') {
    const query = canonicalQuery({ ...params, SignatureMethod: 'HmacSHA256' });
    const text = [verb, host, path, query].join('\n');
    return hmac('sha256', secret, text).toString('base64');
  }
  const authorization = headerOf(headers, 'authorization');
  if (!(authorization ?? params['X-Amz-Algorithm'] ?? '').startsWith(V4)) return undefined;
  return requestSignature4(secret, request, (name) =>
    authorization === undefined
      ? params[`X-Amz-${name}`]
      : new RegExp(`${name}=([^,]*)`).exec(authorization)?.[1],
  );
}

/** @param part of the authorization: `Credential`, `SignedHeaders` */
function requestSignature4(
  secret: string,
  { verb, path, params, headers, bodyHash }: SignedRequest,
  part: (name: string) => string | undefined,
): string | undefined {
  const [, ...scope] = part('Credential')?.split('/') ?? [];
  const signedHeaders = part('SignedHeaders') ?? '';
  const date = headerOf(headers, 'x-amz-date') ?? params['X-Amz-Date'] ?? '';
  if (!date.startsWith(scope[0] ?? '-')) return undefined;
  const present = signedHeaders.split(';').flatMap((name) => {
    const value = headerOf(headers, name);
    return value === undefined ? [] : [`${name}:${value}`];
  });
  const { 'X-Amz-Signature': _, ...query } = params;
  const canonical = [
    verb.toUpperCase(),
    path,
    // A POST has its parameters in the body.
    verb.toUpperCase() === 'POST' ? '' : canonicalQuery(query),
    // keystoneclient ends the list with a newline even if it is empty.
    `${present.join('\n')}\n`,
    signedHeaders,
    bodyHash,
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = [V4, date, scope.join('/'), digest].join('\n');
  return v4Signature(secret, scope.join('/'), text);
}

/** @param scope `20260131/RegionOne/s3/aws4_request` */
function v4Signature(secret: string, scope: string, text: string): string | undefined {
  const parts = scope.split('/');
  if (parts.length !== 4 || parts[3] !== V4_END) return undefined;
  const key = parts.reduce<BinaryLike>((made, part) => hmac('sha256', made, part), `AWS4${secret}`);
  return hmac('sha256', key, text).toString('hex');
}

function canonicalQuery(params: Texts): string {
  return Object.entries(params)
    .sort(([a], [b]) => compare(a, b))
    .map(([name, value]) => `${quoted(name)}=${quoted(value)}`)
    .join('&');
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function quoted(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(
      /[^A-Za-z0-9_.~-]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}

function headerOf(headers: Texts, wanted: string): string | undefined {
  const found = Object.entries(headers).find(([name]) => lower(name).trim() === wanted);
  return found?.[1].trim();
}

function hmac(algorithm: 'sha1' | 'sha256', key: BinaryLike, text: string): Buffer {
  return createHmac(algorithm, key).update(text).digest();
}

function lower(text: string): string {
  return text.toLowerCase();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isSame(expected: string | undefined, given: string): boolean {
  if (expected === undefined) return false;
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
