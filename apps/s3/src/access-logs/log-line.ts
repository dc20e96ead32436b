/**
 * A request as a line of its bucket's log. Pure. Public source: Amazon S3 user guide, "Amazon S3
 * server access log format".
 *
 * Always holds: a line has 26 fields, each without spaces or in quotes; nothing that a client sends
 * adds a field, a quote or a line. It has no signature, token or key of encryption.
 */
import type { Code } from '@cumulet/common/languages/code';

export type LogLine = Code<'access-log'>;

export interface LoggedRequest {
  readonly bucketOwner: string;
  readonly bucket: string;
  readonly time: Date;
  readonly remoteAddress: string;
  /** Undefined for an anonymous request. */
  readonly requester: string | undefined;
  readonly requestId: string;
  /** `REST.GET.OBJECT` */
  readonly operation: string;
  readonly key: string | undefined;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly uri: string;
  readonly httpVersion: string;
  readonly status: number;
  readonly errorCode: string | undefined;
  /** Bytes of the answer's body that were sent. */
  readonly bytesSent: number;
  /** Bytes of the object; undefined without one. */
  readonly objectSize: number | undefined;
  /** Milliseconds, until the last byte of the answer. */
  readonly totalMs: number;
  /** Milliseconds from the last byte of the request to the first of the answer. */
  readonly turnAroundMs: number | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
  readonly versionId: string | undefined;
  readonly signatureVersion: 'SigV2' | 'SigV4' | undefined;
  readonly cipher: string | undefined;
  readonly authType: 'AuthHeader' | 'QueryString' | undefined;
  readonly host: string | undefined;
  /** `TLSv1.3` */
  readonly tlsVersion: string | undefined;
}

const UNKNOWN = '-';
const MAX_TEXT = 8_192;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** @returns it with its line feed */
export function logLineOf(request: LoggedRequest): LogLine {
  const { method, uri, httpVersion, referer, bytesSent, totalMs, turnAroundMs } = request;
  const fields = [
    field(request.bucketOwner),
    field(request.bucket),
    timeOf(request.time),
    field(request.remoteAddress),
    field(request.requester),
    field(request.requestId),
    field(request.operation),
    keyOf(request.key),
    quoted(`${method} ${withoutSecrets(uri)} HTTP/${httpVersion}`),
    String(request.status),
    field(request.errorCode),
    bytesSent > 0 ? String(bytesSent) : UNKNOWN,
    numberOf(request.objectSize),
    numberOf(totalMs),
    numberOf(turnAroundMs),
    quoted(referer && withoutSecrets(referer)),
    quoted(request.userAgent),
    field(request.versionId),
    // Host id: x-amz-id-2 is the request id.
    field(request.requestId),
    field(request.signatureVersion),
    field(request.cipher),
    field(request.authType),
    field(request.host),
    field(request.tlsVersion),
    // Access point ARN and ACL required: not recorded.
    UNKNOWN,
    UNKNOWN,
  ];
  return `${fields.join(' ')}\n` as LogLine;
}

function field(text: string | undefined): string {
  return text === undefined || text === '' ? UNKNOWN : escaped(text).replaceAll(' ', '%20');
}

function quoted(text: string | undefined): string {
  return `"${text === undefined || text === '' ? UNKNOWN : escaped(text)}"`;
}

/** Percent-encoded; slashes stay. */
function keyOf(key: string | undefined): string {
  return key === undefined || key === '' ? UNKNOWN : encodeURIComponent(key).replaceAll('%2F', '/');
}

function numberOf(value: number | undefined): string {
  return value === undefined ? UNKNOWN : String(Math.max(0, Math.round(value)));
}

/** Quotes, backslashes and unprintable characters could end a field or a line. */
function escaped(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(/["\\]|[^\x20-\x7e]+/g, (some) =>
      Array.from(
        Buffer.from(some),
        (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      ).join(''),
    );
}

/** `[23/Nov/2026:10:57:03 +0000]` */
function timeOf(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  return `[${day}/${MONTHS[Number(month) - 1]}/${year}:${clock} +0000]`;
}

/** In lower case: signatures, session tokens and keys. */
const SECRET = new Set([
  'x-amz-signature',
  'signature',
  'x-amz-security-token',
  'x-amz-s3session-token',
  'x-auth-token',
  'token',
  'x-amz-server-side-encryption-customer-key',
  'x-amz-copy-source-server-side-encryption-customer-key',
]);
const REMOVED = 'REMOVED';

/**
 * Removes credentials from a URL before it is logged. Pure.
 * @param address a path with its query, or a URL; its fragment and user are removed as well
 */
function withoutSecrets(address: string): string {
  const [all = ''] = address.split('#', 1);
  const at = all.indexOf('?');
  const path = (at < 0 ? all : all.slice(0, at)).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
  if (at < 0) return path;
  return `${path}?${all
    .slice(at + 1)
    .split('&')
    .map(withoutSecret)
    .join('&')}`;
}

function withoutSecret(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at < 0) return parameter;
  const name = parameter.slice(0, at);
  return isSecret(name) ? `${name}=${REMOVED}` : parameter;
}

/** A name that cannot be decoded counts as secret. */
function isSecret(name: string): boolean {
  try {
    return SECRET.has(decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase());
  } catch {
    return true;
  }
}
