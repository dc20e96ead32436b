import type { Readable } from 'node:stream';
import { traceHeaders } from '@cumulet/common/observe/tracing';
import type { Actor } from './actor.js';
import type { ShownTokens } from './credentials.js';

export interface ServiceRequest {
  /** Absent where no token is needed. */
  readonly actor?: Actor | undefined;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address: `/v2/images/…`; parts from outside go through `encodeURIComponent`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, once; give its Content-Type among the headers. */
  readonly stream?: Readable;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export interface CreateRequest extends Omit<ServiceRequest, 'method' | 'stream'> {
  /**
   * 1 to 255 visible ASCII characters, by default random. Work that another process may resume derives
   * the key from its row.
   */
  readonly idempotencyKey?: string;
}

export function headersOf(
  { actor, json, headers }: ServiceRequest,
  shown: ShownTokens | undefined,
): Record<string, string> {
  const requestId = actor?.origin?.globalRequestId ?? actor?.origin?.requestId;
  return {
    accept: 'application/json',
    ...traceHeaders(),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...(requestId === undefined ? {} : { 'x-openstack-request-id': requestId }),
    ...(shown === undefined ? {} : { 'x-auth-token': shown.token }),
    ...(shown?.serviceToken === undefined ? {} : { 'x-service-token': shown.serviceToken }),
  };
}

/** The query without undefined parameters; absent if the path holds the query. */
export function queryOf({ query }: ServiceRequest): { query?: Record<string, string | number> } {
  if (!query) return {};
  const given = Object.entries(query).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  return { query: Object.fromEntries(given) };
}
