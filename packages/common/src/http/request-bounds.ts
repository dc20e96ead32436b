/** Limits on parameters and headers of a request. Pure. */
import type { IncomingMessage } from 'node:http';
import queryString from 'fast-querystring';

/** As many ids as fit into a URL. */
export const MAX_PARAMETERS = 500;

/** More than the filters of any list. */
export const MAX_NAMES = 100;

/** More than the metadata headers of an S3 object (2 KiB). */
export const MAX_HEADERS = 500;

const [QUESTION_MARK, AMPERSAND, EQUALS] = ['?', '&', '='];

/** @returns the excess as a sentence */
export function excessOfRequest({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return `The request has more than ${MAX_HEADERS} headers.`;
  const start = url.indexOf(QUESTION_MARK) + 1;
  return start === 0 ? undefined : excessOfQuery(url.slice(start));
}

/** Fastify's parser, but for queries that are refused. */
export function parseQuery(query: string): Record<string, unknown> {
  return query === '' || excessOfQuery(query) !== undefined ? {} : queryString.parse(query);
}

function excessOfQuery(query: string): string | undefined {
  // A short query cannot exceed the limits.
  if (query.length <= MAX_NAMES) return undefined;
  const names = new Set<string>();
  let parameters = 0;
  for (let from = 0, to = 0; to >= 0; from = to + 1) {
    parameters += 1;
    if (parameters > MAX_PARAMETERS) return `The query has more than ${MAX_PARAMETERS} parameters.`;
    to = query.indexOf(AMPERSAND, from);
    names.add(nameIn(query.slice(from, to < 0 ? undefined : to)));
    if (names.size > MAX_NAMES)
      return `The query has parameters of more than ${MAX_NAMES} different names.`;
  }
  return undefined;
}

function nameIn(parameter: string): string {
  const end = parameter.indexOf(EQUALS);
  return end < 0 ? parameter : parameter.slice(0, end);
}
