import { DomainError, UnavailableError } from '@cumulet/common/errors/domain-error';

/**
 * A sister service understood the request and refused it (a status below 500 that is no success).
 * Its caller maps the statuses it expects to errors of its own catalogue; what is left unmapped is
 * a mistake of ours, so it answers 500 and is logged with the sister's message as its cause.
 */
export class ServiceRefusedError extends DomainError {
  constructor(
    readonly service: string,
    readonly status: number,
    /** The sister's own sentence, where its body held one; safe to show where the user's own token asked. */
    readonly serviceMessage: string | undefined,
  ) {
    super('bug', `The ${service} service refused a request with status ${status}.`, {
      cause: serviceMessage,
    });
  }
}

/** A sister service does not answer, answers 5xx, or answers what is not JSON; safe to retry later. */
export class ServiceUnavailableError extends UnavailableError {
  constructor(service: string, cause: unknown) {
    super(`The ${service} service cannot be reached at present.`, { cause });
  }
}
