/**
 * The identity of a request with an `Idempotency-Key`. Public source: IETF draft "The
 * Idempotency-Key HTTP Header Field", sections 2.2 to 2.7.
 */
import { hash } from 'node:crypto';
import { types } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../context/request-context.js';
import { invalid, errorOf } from '../errors/domain-error.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

export const MAX_KEY_LENGTH = 255;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

class InvalidIdempotencyKeyError extends invalid(
  `Invalid input: the header ${IDEMPOTENCY_KEY} must have 1 to ${MAX_KEY_LENGTH} visible ASCII characters.`,
) {}

/** The key was used with another body or microversion: 422. */
export class IdempotencyKeyReusedError extends errorOf(
  'unprocessable',
  `The ${IDEMPOTENCY_KEY} was used before with another request.`,
) {}

/** The first request with the key has not been answered yet: 409. */
export class RequestUnderWayError extends errorOf(
  'conflict',
  `A request with the same ${IDEMPOTENCY_KEY} is still under way.`,
  { retryAfter: 1 },
) {}

export type KeyOwner = 'project' | 'user';

/** Metadata of handlers that create resources of users. */
export const OF_USER = 'cumulet:of-user';

export interface KeyedRequest {
  /** A hash of the caller, the operation and the key. */
  readonly id: string;
  /** A hash of the body. */
  readonly fingerprint: string;
}

/**
 * @param owner of the created resource: keys of a project's are shared by its members; keys of a
 * user's are separate for each user, scope and delegation
 * @throws InvalidInputError for a malformed key
 */
export function keyedRequestOf(
  request: Pick<FastifyRequest, 'method' | 'routeOptions' | 'params' | 'query' | 'body'>,
  { fields }: Pick<RequestContext, 'fields'>,
  key: string | readonly string[],
  owner: KeyOwner,
): KeyedRequest {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !VISIBLE_ASCII.test(key))
    throw new InvalidIdempotencyKeyError();
  const { method, routeOptions, params, query, body } = request;
  const { userId, projectId, domainId, scope, delegation, microversion } = fields;
  // A delegate must not get the answer of the user or of another delegate.
  const delegate = delegation ? [delegation.kind, delegation.id] : [];
  const asker =
    owner === 'project' ? [projectId] : [userId, scope, projectId, domainId, ...delegate];
  return {
    id: hashOf([asker, method, routeOptions.url, params, key]),
    fingerprint: hashOf([String(microversion), query, body]),
  };
}

/** Independent of the order of properties. */
function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value, sorted), 'hex');
}

/** Big numbers of other codecs are compared by their digits. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint' || types.isNumberObject(value)) return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
