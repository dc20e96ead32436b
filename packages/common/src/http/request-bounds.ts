/** How many parameters and headers a request may have: each is read by several. Pure. */
import type { IncomingMessage } from 'node:http';

/** As many ids as an address has room for, asked for one by one. */
export const MAX_PARAMETERS = 500;

/** Of an object, S3 takes 2 KiB of metadata: fewer than these with the shortest names. */
export const MAX_HEADERS = 500;

const AMPERSAND = '&';

/** @returns what is wrong, as a sentence */
export function excessOfRequest({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return `The request has more than ${MAX_HEADERS} headers.`;
  // As long as what is between them allows, there cannot be more.
  if (url.length <= MAX_PARAMETERS) return undefined;
  let parameters = 1;
  for (let at = url.indexOf(AMPERSAND); at >= 0; at = url.indexOf(AMPERSAND, at + 1)) {
    parameters += 1;
    if (parameters > MAX_PARAMETERS) return `The query has more than ${MAX_PARAMETERS} parameters.`;
  }
  return undefined;
}
