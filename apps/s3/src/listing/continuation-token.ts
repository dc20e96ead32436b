/** Where the next page starts: the last name of the one before it, as a text that says nothing. */
import { invalid } from './listing-request.js';

/** Tells tokens from those that mean something else one day. */
const KIND = 1;

/** @param name a key, a common prefix, or a bucket's name */
export function tokenOf(name: string): string {
  return Buffer.concat([Buffer.from([KIND]), Buffer.from(name)]).toString('base64url');
}

/** @returns undefined for the empty one: the first page. @throws S3Error InvalidArgument */
export function nameOfToken(token: string): string | undefined {
  if (token === '') return undefined;
  const name = Buffer.from(token, 'base64url').subarray(1).toString();
  if (tokenOf(name) === token) return name;
  throw invalid('continuation-token', token, 'The continuation token provided is incorrect');
}
