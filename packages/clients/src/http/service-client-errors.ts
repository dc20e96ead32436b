import { DomainError, UnavailableError, type ErrorKind } from '@cumulet/common/errors/domain-error';
import type { Actor } from './actor.js';

/** Statuses that the request or the state of resources causes; any other is a bug. */
const KINDS: Readonly<Record<number, ErrorKind>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  412: 'precondition-failed',
  413: 'quota-exhausted',
  422: 'unprocessable',
  501: 'unsupported',
};

/** As the service itself, these refuse the service rather than the request. */
const OF_SERVICE = [400, 401, 403];

/**
 * A sister service understood the request and refused it: any status below 500 other than success,
 * or 501. It is final: the same request is not made again, and work ends with the sister's words.
 * Clients map the statuses that they expect to errors of their own; a refusal that is not expected
 * answers the caller with the sister's own status, unless it is a refusal of the service itself.
 */
export class ServiceRefusedError extends DomainError {
  constructor(
    readonly service: string,
    readonly status: number,
    /** The sister's own sentence, if any. */
    readonly serviceMessage: string | undefined,
    /** The actor; a login counts as the service's. */
    as: Actor['as'] = 'service',
  ) {
    const isOfService = as === 'service' && OF_SERVICE.includes(status);
    super(
      isOfService && status === 401 ? 'bug' : (KINDS[status] ?? 'bug'),
      `The ${service} service refused with status ${status}: ${serviceMessage ?? 'it gave no reason'}`,
      { forOperator: isOfService },
    );
  }
}

/**
 * A sister service does not answer in time, answers 5xx other than 501, or answers no JSON, or is
 * too busy (429); safe to retry later.
 */
export class ServiceUnavailableError extends UnavailableError {
  constructor(service: string, cause: unknown) {
    super(`The ${service} service cannot be reached at present.`, { cause });
  }
}
