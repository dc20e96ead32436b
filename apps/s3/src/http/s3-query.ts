/** The query of a request, by name. A name without a value (`?acl`) has an empty one. */
import { decoded } from './s3-address.js';

export type S3Query = ReadonlyMap<string, string>;

/**
 * @param text as it was sent, without the question mark; of a name that comes twice, the first counts
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
