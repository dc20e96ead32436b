/**
 * Signatures of version 4: what they say of themselves, what they are over and what makes them.
 * Public source: AWS Signature Version 4 for API requests, "Elements of a request signature".
 */
import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { S3Request } from '../../http/s3-request.js';

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
  /** `x-amz-content-sha256`, or what stands for it. */
  readonly payload: string;
}

type Sent = Pick<S3Request, 'method' | 'rawPath' | 'rawQuery' | 'headers' | 'host'>;

/**
 * What a signature is over, as text of which each character is a byte: headers come so. Pure. Public
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

/** Clients may send characters as they are that signatures have encoded, or the other way round. */
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

/** What is unreserved in RFC 3986 stays, all else is encoded; an escape that is none stays as it is. */
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
