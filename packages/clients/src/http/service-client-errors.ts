import { DomainError, UnavailableError } from '@cumulet/common/errors/domain-error';

/**
 * A sister service understood the request and refused it (a status below 500 other than success).
 * The caller maps the statuses it expects to errors of its own catalogue; any other is our mistake,
 * so it answers 500 and is logged with the sister's message as its cause.
 */
export class ServiceRefusedError extends DomainError {
  constructor(
    readonly service: string,
    readonly status: number,
    /** The sister's own sentence, if any; may be shown if the user's own token asked. */
    readonly serviceMessage: string | undefined,
  ) {
    super('bug', `The ${service} service refused a request with status ${status}.`, {
      cause: serviceMessage,
    });
  }
}

/** A sister service does not answer, answers 5xx, or answers no JSON; safe to retry later. */
export class ServiceUnavailableError extends UnavailableError {
  constructor(service: string, cause: unknown) {
    super(`The ${service} service cannot be reached at present.`, { cause });
  }
}
