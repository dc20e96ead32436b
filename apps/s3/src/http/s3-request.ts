/** A request as it came, before anybody knows who sent it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { S3Config } from '../config.js';
import { S3Error } from './s3-error.js';
import { addressOf, domainAbove, domainsIn, type S3Address } from './s3-address.js';
import { withQueryHeaders } from './query-headers.js';
import { queryOf, type S3Query } from './s3-query.js';

export interface S3Request {
  readonly id: string;
  readonly method: string;
  /** As they were sent: `/bucket/a%20key` and `list-type=2&prefix=a`. Signatures are over these. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** What the client signed: of the Host header, or of a trusted proxy's X-Forwarded-Host. */
  readonly host: string;
  /** With those that a presigned address has in its query. */
  readonly headers: IncomingHttpHeaders;
  readonly query: S3Query;
  readonly address: S3Address;
  /** Of the one who asks; a trusted proxy's word for it counts. */
  readonly clientAddress: string;
  readonly isEncrypted: boolean;
  readonly raw: IncomingMessage;
}

/** Query parameters and headers that say that a request is signed. */
const SIGNED_BY = ['X-Amz-Signature', 'Signature'] as const;

/** @throws S3Error InvalidURI, KeyTooLongError */
export function requestOf(request: FastifyRequest, { domains }: S3Config): S3Request {
  const { originalUrl, headers, method } = request;
  const [rawPath = '/', rawQuery = ''] = splitAt(originForm(originalUrl));
  const query = queryOf(rawQuery);
  const host = request.host;
  const isSigned = headers.authorization !== undefined || SIGNED_BY.some((name) => query.has(name));
  return {
    id: request.id,
    method,
    rawPath,
    rawQuery,
    host,
    headers: withQueryHeaders(headers, query),
    query,
    address: addressOf({ host, path: rawPath }, domainsIn(domains), isSigned),
    clientAddress: request.ip,
    isEncrypted: request.protocol === 'https',
    raw: request.raw,
  };
}

/**
 * A request to a website, which comes from anybody: who signs it is no matter, and what is asked of
 * the API by queries means nothing here.
 * @throws S3Error InvalidURI, KeyTooLongError
 */
export function websiteRequestOf(request: FastifyRequest, { websiteDomains }: S3Config): S3Request {
  const { originalUrl, host, method } = request;
  const [rawPath = '/', rawQuery = ''] = splitAt(originForm(originalUrl));
  const { authorization: _, ...headers } = request.headers;
  return {
    id: request.id,
    method,
    rawPath,
    rawQuery,
    host,
    headers,
    query: new Map(),
    address: addressOf({ host, path: rawPath }, domainsIn(websiteDomains), false),
    clientAddress: request.ip,
    isEncrypted: request.protocol === 'https',
    raw: request.raw,
  };
}

/** Whether a request is one to a website, and none of the API. */
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

function splitAt(url: string): string[] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}
