/**
 * A request as it came, before anybody knows who sent it, and which bucket and key it is for: by its
 * host (`bucket.localhost:9000`), or by its path. An unsigned request names the project too:
 * `{project_id}:{bucket}` in the path, or `{bucket}.{project_id}.{domain}` as the host. Pure.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { S3Config } from '../config.js';
import { S3Error, invalidArgument } from './s3-error.js';

export interface S3Request {
  readonly id: string;
  readonly method: string;
  /** As sent: `/bucket/a%20key` and `list-type=2&prefix=a`. Signatures cover these. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** As the client signed it: the Host header, or a trusted proxy's X-Forwarded-Host. */
  readonly host: string;
  /** With those in the query of a presigned URL. */
  readonly headers: IncomingHttpHeaders;
  readonly query: S3Query;
  readonly address: S3Address;
  /** The client's, as a trusted proxy names it. */
  readonly clientAddress: string;
  readonly isEncrypted: boolean;
  readonly raw: IncomingMessage;
}

/** Query parameters of signed requests. */
const SIGNED_BY = ['X-Amz-Signature', 'Signature'] as const;

/** @throws S3Error InvalidURI, KeyTooLongError */
export function requestOf(request: FastifyRequest, { domains }: S3Config): S3Request {
  const [, rawQuery] = targetOf(request);
  const query = queryOf(rawQuery);
  const { headers } = request;
  const isSigned = headers.authorization !== undefined || SIGNED_BY.some((name) => query.has(name));
  return receivedAs(request, domains, isSigned, {
    headers: withQueryHeaders(headers, query),
    query,
  });
}

/**
 * A request to a website, which is anonymous: signatures and the API's query parameters are ignored.
 * @throws S3Error InvalidURI, KeyTooLongError
 */
export function websiteRequestOf(request: FastifyRequest, { websiteDomains }: S3Config): S3Request {
  const { authorization: _, ...headers } = request.headers;
  return receivedAs(request, websiteDomains, false, { headers, query: new Map() });
}

/** @param domains below which hosts are buckets', separated by commas */
function receivedAs(
  request: FastifyRequest,
  domains: string,
  isSigned: boolean,
  meant: Pick<S3Request, 'headers' | 'query'>,
): S3Request {
  const [rawPath, rawQuery] = targetOf(request);
  const { id, method, host, raw } = request;
  return {
    ...meant,
    id,
    method,
    rawPath,
    rawQuery,
    host,
    address: addressOf({ host, path: rawPath }, domainsIn(domains), isSigned),
    clientAddress: request.ip,
    isEncrypted: request.protocol === 'https',
    raw,
  };
}

export function isOfWebsite(
  { host }: Pick<FastifyRequest, 'host'>,
  { websiteDomains }: S3Config,
): boolean {
  return domainAbove(host, domainsIn(websiteDomains)) !== undefined;
}

/** A header that may come once. @throws S3Error InvalidArgument if it comes several times */
export function headerOf(
  { headers }: Pick<S3Request, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name];
  if (!Array.isArray(value)) return value;
  throw new S3Error('InvalidArgument', { message: `The header ${name} must come once.` });
}

/** The path and query of an absolute URL, which servers accept too (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return encoded(path.startsWith('/') ? path : `/${path}`);
}

/** Some clients do not encode bytes beyond ASCII; Node gives each as a character. */
function encoded(path: string): string {
  return path.replaceAll(
    /[\u0080-\u00ff]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function targetOf({ originalUrl }: FastifyRequest): [rawPath: string, rawQuery: string] {
  const url = originForm(originalUrl);
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** The query of a request, by name. A name without a value (`?acl`) has an empty one. */
export type S3Query = ReadonlyMap<string, string>;

/**
 * @param text as it was sent, without the question mark; the first of duplicate names counts
 * @throws S3Error InvalidURI
 */
export function queryOf(text: string): S3Query {
  const query = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = plain(at < 0 ? pair : pair.slice(0, at));
    if (!query.has(name)) query.set(name, at < 0 ? '' : plain(pair.slice(at + 1)));
  }
  return query;
}

function plain(text: string): string {
  return decoded(text.replaceAll('+', '%20'));
}

/** Clients of version 2 move these too. */
const ALSO_IN_VERSION_2 = new Set(['content-md5', 'content-type']);
const AMZ = /^x-amz-[a-z0-9-]+$/;

/**
 * Headers about the signature or the body, which are unknown when a URL is presigned: clients sign
 * the checksum of an empty body into addresses for uploads, and Amazon S3 takes no notice of it.
 */
export const OF_SIGNATURE = [
  'x-amz-algorithm',
  'x-amz-content-sha256',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
  'x-amz-trailer',
  'x-amz-sdk-checksum-algorithm',
];

const CHECKSUM = /^x-amz-checksum-(?!(?:algorithm|mode|type)$)/;

/**
 * Headers that a presigned address has in its query, where its holder sends none: `x-amz-acl=private`
 * counts as the header `x-amz-acl`. Amazon's clients move them there as they sign. Pure.
 * @returns the headers as they are for a request whose address is not presigned
 */
export function withQueryHeaders(
  headers: IncomingHttpHeaders,
  query: S3Query,
): IncomingHttpHeaders {
  const isVersion2 = query.has('Signature');
  if (!isVersion2 && !query.has('X-Amz-Signature')) return headers;
  const more: IncomingHttpHeaders = {};
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    const isHeader =
      (AMZ.test(lower) && !OF_SIGNATURE.includes(lower) && !CHECKSUM.test(lower)) ||
      (isVersion2 && ALSO_IN_VERSION_2.has(lower));
    if (isHeader && headers[lower] === undefined) more[lower] = value;
  }
  return { ...headers, ...more };
}

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/i;
/** Node has headers as Latin-1, a character for each byte. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Names and values of HTTP headers, as they may be kept to be answered later. Node writes no other
 * ones: an object that had one could not be read any more. Public source: RFC 9110, 5.1 and 5.5.
 * @param named how its sender calls it. @throws S3Error InvalidArgument
 */
export function requireHeader(name: string, value: string, named = name): void {
  if (NAME.test(name) && VALUE.test(value)) return;
  const what = NAME.test(name) ? 'The value of' : 'The name of';
  throw invalidArgument(named, value, `${what} ${named} cannot stand in a header.`);
}

/** The text as Node would have read it from a header. */
export function asHeaderValue(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Headers that are stored with an object and answered with it; `response-…` overrides them. */
export const CONTENT_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;

export interface S3Address {
  readonly bucket: NamedBucket | undefined;
  /** Undefined for a bucket itself. Any text, which is at most 1,024 bytes long in UTF-8. */
  readonly key: string | undefined;
  /** Whether the host names the bucket. */
  readonly isHostStyle: boolean;
}

export interface NamedBucket {
  /** As the request names it, valid or not. */
  readonly name: string;
  /** Undefined for the caller's project. */
  readonly projectId: string | undefined;
}

/** Bytes of a key in UTF-8. */
const MAX_KEY_BYTES = 1024;
const PROJECT = /^(.+)\.([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * @param host of the Host header: with or without a port
 * @param path as it was sent, percent-encoded, without a query
 * @param domains below which hosts are buckets'
 * @param isSigned whether the request names its project by its access key
 * @throws S3Error InvalidURI, KeyTooLongError
 */
function addressOf(
  { host, path }: { readonly host: string; readonly path: string },
  domains: readonly string[],
  isSigned: boolean,
): S3Address {
  const name = nameOf(host);
  const domain = domainAbove(host, domains);
  if (domain !== undefined) {
    const bucket = ofHost(name.slice(0, -domain.length - 1), isSigned);
    return { bucket, key: keyOf(path.slice(1)), isHostStyle: true };
  }
  const end = path.indexOf('/', 1);
  const first = decoded(end < 0 ? path.slice(1) : path.slice(1, end));
  if (first === '') return { bucket: undefined, key: undefined, isHostStyle: false };
  const key = end < 0 ? undefined : keyOf(path.slice(end + 1));
  return { bucket: ofPath(first), key, isHostStyle: false };
}

/** The domain that a host is below; undefined if none. */
function domainAbove(host: string, domains: readonly string[]): string | undefined {
  const name = nameOf(host);
  return domains.find((one) => name.endsWith(`.${one}`));
}

/** @param text separated by commas, as in the settings */
function domainsIn(text: string): readonly string[] {
  const names = text.split(',').map((one) => one.trim().toLowerCase());
  return names.filter((one) => one !== '');
}

function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** `bucket`, `:bucket` or `project:bucket`. */
export function ofPath(text: string): NamedBucket {
  const at = text.indexOf(':');
  if (at < 0) return { name: text, projectId: undefined };
  return { name: text.slice(at + 1), projectId: text.slice(0, at) || undefined };
}

function ofHost(text: string, isSigned: boolean): NamedBucket {
  const [, name, projectId] = (isSigned ? null : PROJECT.exec(text)) ?? [];
  return { name: name ?? text, projectId };
}

/** @returns undefined for an empty one */
function keyOf(encoded: string): string | undefined {
  const key = decoded(encoded);
  requireKey(key);
  return key === '' ? undefined : key;
}

/** @throws S3Error KeyTooLongError */
export function requireKey(key: string): void {
  const size = Buffer.byteLength(key);
  if (size <= MAX_KEY_BYTES) return;
  const details = { Size: size, MaxSizeAllowed: MAX_KEY_BYTES };
  throw new S3Error('KeyTooLongError', { details });
}

/** @throws S3Error InvalidURI for invalid UTF-8 */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new S3Error('InvalidURI', { cause });
  }
}
