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
 * A sister service refused the request, with a status below 500 or 501. It is final: work ends with
 * the sister's message. Clients map expected statuses to errors of their own; an unexpected refusal
 * answers the caller with the sister's status, unless the sister refused the service itself.
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
