/** How many parameters and headers a request may have: each is read by several. Pure. */
import type { IncomingMessage } from 'node:http';

/** As many ids as an address has room for, asked for one by one. */
export const MAX_PARAMETERS = 500;

/** More than any list has filters: names cost more than values, as each is looked for. */
export const MAX_NAMES = 100;

/** Of an object, S3 takes 2 KiB of metadata: fewer than these with the shortest names. */
export const MAX_HEADERS = 500;

const [QUESTION_MARK, AMPERSAND, EQUALS] = ['?', '&', '='];

/** @returns what is wrong, as a sentence */
export function excessOfRequest({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return `The request has more than ${MAX_HEADERS} headers.`;
  // As long as what is between them allows, there cannot be more.
  if (url.length <= MAX_NAMES) return undefined;
  const names = new Set<string>();
  let parameters = 0;
  let from = url.indexOf(QUESTION_MARK) + 1;
  while (from > 0) {
    parameters += 1;
    if (parameters > MAX_PARAMETERS) return `The query has more than ${MAX_PARAMETERS} parameters.`;
    const to = url.indexOf(AMPERSAND, from);
    names.add(nameIn(url.slice(from, to < 0 ? undefined : to)));
    if (names.size > MAX_NAMES)
      return `The query has parameters of more than ${MAX_NAMES} different names.`;
    from = to + 1;
  }
  return undefined;
}

function nameIn(parameter: string): string {
  const end = parameter.indexOf(EQUALS);
  return end < 0 ? parameter : parameter.slice(0, end);
}
