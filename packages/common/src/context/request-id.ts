/**
 * Every response has `X-Platform-Request-Id: req-<uuid>`, and the same value in
 * `X-Openstack-Request-Id` for existing clients. An `X-Openstack-Request-Id` of that form in a
 * request is the caller's global ID; it is logged and passed on.
 */
import { randomUUID } from 'node:crypto';
import { asId, type RequestId } from './ids.js';

const FORM = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function newRequestId(): RequestId {
  return asId(`req-${randomUUID()}`);
}

/** The caller's global request id, if the header holds one of the right form. */
export function globalRequestId(header: string | string[] | undefined): RequestId | undefined {
  return typeof header === 'string' && FORM.test(header) ? asId(header) : undefined;
}

/** A service's own names of the header: `X-Compute-Request-Id`. */
export type RequestIdAlias = string | readonly string[];

export function requestIdHeaders(id: string, alias: RequestIdAlias = []): Record<string, string> {
  return {
    'X-Platform-Request-Id': id,
    'X-Openstack-Request-Id': id,
    ...Object.fromEntries([alias].flat().map((name) => [name, id])),
  };
}
