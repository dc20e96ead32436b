/** Query parameters of lists. */
import { invalidArgument } from '../http/s3-error.js';
import type { S3Query } from '../http/s3-request.js';

/** @returns undefined if it is not given, or empty. @throws S3Error InvalidArgument */
export function numberOf(query: S3Query, name: string): number | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0x7f_ff_ff_ff) return Number(text);
  throw invalidArgument(name, text, `Argument ${name} must be an integer between 0 and 2147483647`);
}

/** @returns how to write keys in the answer. @throws S3Error InvalidArgument */
export function encodingOf(query: S3Query): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined || type === '') return (text) => text;
  if (type === 'url') return (text) => encodeURIComponent(text).replaceAll('%2F', '/');
  throw invalidArgument('encoding-type', type, 'Invalid Encoding Method specified in Request');
}

/** The version of tokens. */
const KIND = 1;

/**
 * An opaque token for the next page: the last name of the page before.
 * @param name a key, a common prefix, or a bucket's name
 */
export function tokenOf(name: string): string {
  return Buffer.concat([Buffer.from([KIND]), Buffer.from(name)]).toString('base64url');
}

/** @returns undefined for the first page. @throws S3Error InvalidArgument */
export function nameOfToken(token: string): string | undefined {
  if (token === '') return undefined;
  const name = Buffer.from(token, 'base64url').subarray(1).toString();
  if (tokenOf(name) === token) return name;
  throw invalidArgument(
    'continuation-token',
    token,
    'The continuation token provided is incorrect',
  );
}
