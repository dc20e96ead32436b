/**
 * What a signature of version 4 is over, as text of which each character is a byte: headers come so.
 * Pure. Public source: AWS Signature Version 4 for API
 * requests, "Create a signed AWS API request"; of S3, paths are encoded once and are not normalised.
 */
import { createHash } from 'node:crypto';
import type { S3Request } from '../../http/s3-request.js';
import { ALGORITHM, scopeText, type Scope } from './scope.js';

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
