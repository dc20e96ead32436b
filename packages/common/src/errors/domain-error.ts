/**
 * The base of every service's error catalogue. The domain throws these and knows no HTTP;
 * `ErrorFilter` (http/fastify-hooks.ts) turns them into a status and the service's envelope.
 *
 * Always holds: `message` is safe to show to the caller. What must not leave the process (a
 * database error, a path, another service's answer) goes into `cause`, which is only logged.
 */

/** The kind of failure, as far as it affects a caller's next step. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'conflict'
  | 'gone'
  | 'timeout'
  | 'length-required'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'range-not-satisfiable'
  | 'unprocessable'
  | 'rate-limited'
  | 'quota-exceeded'
  | 'quota-exhausted'
  | 'unsupported'
  | 'unavailable'
  | 'transient'
  | 'not-ready'
  | 'bug';

export interface DomainErrorOptions {
  /** The private reason; logged, never shown. */
  readonly cause?: unknown;
  /** Seconds until the same request may succeed; sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** The methods that a resource supports; sent as `Allow`. */
  readonly allow?: readonly string[];
  /** Whether the operator must see it too: a full disk. */
  readonly forOperator?: boolean;
}

export class DomainError extends Error {
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly forOperator: boolean;

  /** @param message one sentence for the caller, naming the fault and the value */
  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.retryAfter = options.retryAfter;
    this.allow = options.allow;
    this.forOperator = options.forOperator ?? false;
  }
}

/** Input that is malformed, of the wrong type, or unknown. */
export class InvalidInputError extends DomainError {
  constructor(message: string, options?: DomainErrorOptions) {
    super('invalid', message, options);
  }
}

/** A missing, malformed, expired or revoked token; the response does not say which. */
export class UnauthenticatedError extends DomainError {
  constructor(options?: DomainErrorOptions) {
    super('unauthenticated', 'The request you have made requires authentication.', options);
  }
}

/** The token is valid, but its roles do not permit the operation. */
export class ForbiddenError extends DomainError {
  constructor(message: string, options?: DomainErrorOptions) {
    super('forbidden', message, options);
  }
}

/** A path that no route of the service matches. */
export class RouteNotFoundError extends DomainError {
  constructor(method: string, path: string) {
    super('not-found', `No operation ${method} ${path} exists.`);
  }
}

export class MethodNotAllowedError extends DomainError {
  constructor(method: string, path: string, allow: readonly string[]) {
    super(
      'method-not-allowed',
      `${method} is not allowed on ${path}; allowed: ${allow.join(', ')}.`,
      {
        allow,
      },
    );
  }
}

/** An operation of the matching API that is not offered; the message names it. */
export class UnsupportedOperationError extends DomainError {
  constructor(operation: string) {
    super('unsupported', `${operation} is not supported.`);
  }
}

/** The process does not serve at present, which it says once in its log: it stops, or cannot start. */
export class NotReadyError extends DomainError {
  constructor(message: string) {
    super('not-ready', message, { retryAfter: 5 });
  }
}

/** A dependency (the database, another service) is unreachable. */
export class UnavailableError extends DomainError {
  constructor(message: string, options?: DomainErrorOptions) {
    super('unavailable', message, { retryAfter: 5, ...options });
  }
}

/** The caller's sentence, or how to make it of what the error is made with. */
type Message<A extends readonly unknown[]> = string | ((...args: A) => string);
type ErrorClass<A extends readonly unknown[]> = new (...args: A) => DomainError;

/**
 * A class of errors, for those that are a kind and a message:
 * `class PortNotFoundError extends notFound((id: string) => `Port ${id} could not be found.`) {}`.
 */
export function errorOf<A extends readonly unknown[] = []>(
  kind: ErrorKind,
  message: Message<A>,
  options?: DomainErrorOptions,
): ErrorClass<A> {
  return class extends DomainError {
    constructor(...args: A) {
      super(kind, typeof message === 'string' ? message : message(...args), options);
    }
  };
}

export function invalid<A extends readonly unknown[] = []>(message: Message<A>): ErrorClass<A> {
  return messageOf(InvalidInputError, message);
}

export function notFound<A extends readonly unknown[] = []>(message: Message<A>): ErrorClass<A> {
  return errorOf('not-found', message);
}

export function conflict<A extends readonly unknown[] = []>(message: Message<A>): ErrorClass<A> {
  return errorOf('conflict', message);
}

export function forbidden<A extends readonly unknown[] = []>(message: Message<A>): ErrorClass<A> {
  return messageOf(ForbiddenError, message);
}

function messageOf<A extends readonly unknown[]>(
  base: ErrorClass<[string]>,
  message: Message<A>,
): ErrorClass<A> {
  return class extends base {
    constructor(...args: A) {
      super(typeof message === 'string' ? message : message(...args));
    }
  };
}
