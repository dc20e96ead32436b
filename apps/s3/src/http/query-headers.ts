/**
 * Headers that a presigned address has in its query, where its holder sends none: `x-amz-acl=private`
 * counts as the header `x-amz-acl`. Amazon's clients move them there as they sign. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { S3Query } from './s3-query.js';

/** Also of version 2, whose clients move these too. */
const ALSO_IN_VERSION_2 = new Set(['content-md5', 'content-type']);
const AMZ = /^x-amz-[a-z0-9-]+$/;

/**
 * They are about the signature or the body, which nobody knows who signs an address: clients sign
 * the checksum of an empty body into addresses for uploads, and Amazon S3 takes no notice of it.
 */
const NO_HEADERS = new Set([
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
]);

/** The value of a checksum, of whichever algorithm. */
const CHECKSUM = /^x-amz-checksum-(?!(?:algorithm|mode|type)$)/;

/** @returns the headers as they are for a request whose address is not presigned */
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
      (AMZ.test(lower) && !NO_HEADERS.has(lower) && !CHECKSUM.test(lower)) ||
      (isVersion2 && ALSO_IN_VERSION_2.has(lower));
    if (isHeader && headers[lower] === undefined) more[lower] = value;
  }
  return { ...headers, ...more };
}
