import type { IncomingHttpHeaders } from 'node:http';
import { isHeaderName } from '../http/s3-request.js';

/** Public source: Amazon S3 API reference, "CORSRule". */
export const CORS_METHODS = ['GET', 'PUT', 'HEAD', 'POST', 'DELETE'] as const;
export type CorsMethod = (typeof CORS_METHODS)[number];

export interface CorsRule {
  readonly id?: string;
  /** Each with at most one `*`, which stands for any characters. */
  readonly origins: readonly string[];
  readonly methods: readonly CorsMethod[];
  /** Request headers, each with at most one `*`. */
  readonly headers: readonly string[];
  /** Answer headers that scripts may read. */
  readonly exposed: readonly string[];
  /** How long a browser may keep the answer to a preflight. */
  readonly maxAgeSeconds?: number;
}

export interface CorsRequest {
  readonly origin: string;
  readonly method: string;
  /** In lower case; empty unless it is a preflight. */
  readonly headers: readonly string[];
}

/** @returns undefined for a request without an Origin */
export function corsRequestOf(method: string, headers: IncomingHttpHeaders) {
  const { origin } = headers;
  const asked = headers['access-control-request-method'];
  if (origin === undefined) return undefined;
  const names = (headers['access-control-request-headers'] ?? '').split(',');
  return {
    origin,
    method: asked ?? method,
    headers: names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''),
  } satisfies CorsRequest;
}

/**
 * CORS headers for pages of other origins. Public source: Amazon S3 user guide, "How does Amazon S3
 * evaluate the CORS configuration on a bucket?"; Fetch standard, "CORS protocol". Pure.
 *
 * The headers by the first rule that allows it; undefined if none does.
 */
export function corsHeadersOf(
  rules: readonly CorsRule[],
  request: CorsRequest,
): Record<string, string> | undefined {
  for (const rule of rules) {
    const pattern = rule.origins.find((one) => matches(one, request.origin));
    if (pattern === undefined || !rule.methods.some((one) => one === request.method)) continue;
    if (request.headers.every((name) => rule.headers.some((one) => allows(one, name))))
      return headersOf(rule, pattern, request);
  }
  return undefined;
}

function headersOf(
  { methods, exposed, maxAgeSeconds }: CorsRule,
  pattern: string,
  { origin, headers }: CorsRequest,
): Record<string, string> {
  // Rules stored earlier were not validated.
  const shown = exposed.filter(isHeaderName);
  return {
    'access-control-allow-origin': pattern === '*' ? '*' : origin,
    'access-control-allow-methods': methods.join(', '),
    ...(pattern === '*' ? {} : { 'access-control-allow-credentials': 'true' }),
    ...(headers.length === 0 ? {} : { 'access-control-allow-headers': headers.join(', ') }),
    ...(shown.length === 0 ? {} : { 'access-control-expose-headers': shown.join(', ') }),
    ...(maxAgeSeconds === undefined ? {} : { 'access-control-max-age': String(maxAgeSeconds) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

function allows(pattern: string, name: string): boolean {
  return matches(pattern.toLowerCase(), name);
}

/** @param pattern with at most one `*` */
function matches(pattern: string, text: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === text;
  const isLong = text.length >= before.length + after.length;
  return isLong && text.startsWith(before) && text.endsWith(after);
}
