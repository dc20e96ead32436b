/**
 * Headers that a listener adds to requests, and by which protocols. Public source: Load Balancer API v2
 * reference, "Supported HTTP Header Insertions"; octavia, `api/v2/controllers/listener.py`.
 */
import {
  Refusal,
  shortened,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import type { InsertedHeader } from '../data-plane/balancer-spec.js';
import { InvalidOptionError } from '../resources/octavia.errors.js';

const OF_HTTP: readonly InsertedHeader[] = [
  'X-Forwarded-For',
  'X-Forwarded-Port',
  'X-Forwarded-Proto',
];

const OF_CLIENT_CERTIFICATE: readonly InsertedHeader[] = [
  'X-SSL-Client-Verify',
  'X-SSL-Client-Has-Cert',
  'X-SSL-Client-DN',
  'X-SSL-Client-CN',
  'X-SSL-Issuer',
  'X-SSL-Client-SHA1',
  'X-SSL-Client-Not-Before',
  'X-SSL-Client-Not-After',
];

/** All that there are. */
export const INSERTED_HEADERS: readonly InsertedHeader[] = [...OF_HTTP, ...OF_CLIENT_CERTIFICATE];

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  HTTP: OF_HTTP,
  TERMINATED_HTTPS: INSERTED_HEADERS,
};

const KNOWN: readonly string[] = INSERTED_HEADERS;

export type InsertHeaders = Readonly<Record<string, string>>;

/** Values are `true` or `false` as text, in any case; null is none. */
export const insertHeaders: ValueType<InsertHeaders> = valueType<InsertHeaders>(Object, (value) => {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Refusal(`'${shortened(value)}' is not a dictionary`);
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).map(([name, is]) => {
    const text = typeof is === 'boolean' ? String(is) : is;
    if (typeof text !== 'string' || !/^(true|false)$/i.test(text))
      throw new Refusal(`'${shortened(is)}' of ${shortened(name)} is neither true nor false`);
    return [name, text] as const;
  });
  return Object.fromEntries(entries);
});

/** @throws InvalidOptionError naming the headers */
export function requireInsertable(protocol: string, headers: InsertHeaders): void {
  const names = Object.keys(headers);
  if (names.length === 0) return;
  const insertable = HEADERS[protocol];
  if (!insertable)
    throw new InvalidOptionError('insert-headers', `a ${protocol} protocol listener.`);
  const unknown = names.filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0)
    throw new InvalidOptionError(shortened(unknown.join(', ')), 'insert_headers');
  const odd = names.filter((name) => !insertable.includes(name));
  if (odd.length > 0)
    throw new InvalidOptionError(odd.join(', '), `${protocol} protocol listener.`);
}
