/**
 * What goes wrong, under the codes that S3's clients know. Public source: Amazon S3 API reference,
 * "Error responses".
 */
import {
  DomainError,
  type DomainErrorOptions,
  type ErrorKind,
} from '@cumulet/common/errors/domain-error';
import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** Further elements of the body: `{ Key: 'a' }`. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface S3ErrorOptions extends DomainErrorOptions {
  /** What is wrong, and with which value; by default the code's own sentence. */
  readonly message?: string;
  /** By default the code's own: the status follows from it. */
  readonly kind?: ErrorKind;
  readonly details?: ErrorDetails;
  /** Headers of the answer: `{ 'x-amz-delete-marker': 'true' }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class S3Error extends DomainError {
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    options: S3ErrorOptions = {},
  ) {
    const [kind, message]: readonly [ErrorKind, string] = ERROR_CODES[code];
    super(options.kind ?? kind, options.message ?? message, options);
    // The common parts name an error by its class.
    this.name = `${code}Error`;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** @param name of what is wrong: a header, a parameter, an element */
export function invalidArgument(name: string, value: string | number, message: string): S3Error {
  const details = { ArgumentName: name, ArgumentValue: value };
  return new S3Error('InvalidArgument', { message, details });
}
