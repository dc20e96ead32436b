/** Headers that are stored with an object and answered with it. */
import type { IncomingHttpHeaders } from 'node:http';
import { requireHeader } from '../http/s3-request.js';
import { S3Error } from '../http/s3-error.js';
import type { ContentHeaders } from './object.entity.js';

const STORED = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'x-amz-website-redirect-location',
] as const;

/** What an object whose client names no type is. */
const UNKNOWN_TYPE = 'binary/octet-stream';
const MAX_REDIRECT_BYTES = 2048;

/** @throws S3Error InvalidArgument for what no header can have, InvalidRedirectLocation */
export function contentHeadersOf(headers: IncomingHttpHeaders): ContentHeaders {
  const stored: Record<string, string> = {};
  for (const name of STORED) {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') continue;
    // A presigned address has any text for a header.
    requireHeader(name, value);
    stored[name] = value;
  }
  const encoding = withoutChunking(stored['content-encoding']);
  if (encoding === undefined) delete stored['content-encoding'];
  else stored['content-encoding'] = encoding;
  stored['content-type'] ??= UNKNOWN_TYPE;
  const redirect = stored['x-amz-website-redirect-location'];
  if (redirect !== undefined) requireRedirect(redirect);
  return stored;
}

/** How a body was framed on its way is no property of an object. */
function withoutChunking(encoding = ''): string | undefined {
  const encodings = encoding.split(',').filter((one) => one.trim().toLowerCase() !== 'aws-chunked');
  return encodings.join(',').trim() || undefined;
}

function requireRedirect(location: string): void {
  const isAddress = /^(?:\/|https?:\/\/)/.test(location);
  if (isAddress && Buffer.byteLength(location) <= MAX_REDIRECT_BYTES) return;
  throw new S3Error('InvalidRedirectLocation', {
    message: isAddress
      ? `The website redirect location must not be longer than ${MAX_REDIRECT_BYTES} bytes.`
      : "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.",
  });
}
