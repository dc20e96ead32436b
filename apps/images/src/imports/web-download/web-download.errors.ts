/** What can go wrong with a download; none of the messages holds a path or a query. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** The URI is not one that images may be downloaded from. */
export class DownloadRefusedError extends DomainError {
  constructor(reason: string) {
    super('invalid', `The URI of the import cannot be used. ${reason}`);
  }
}

/** A host whose addresses are not allowed, or that has none: which of them is never said. */
export class HostRefusedError extends DownloadRefusedError {
  constructor(host: string) {
    super(`Its host ${host} has no address that images may be downloaded from.`);
  }
}

export class TooManyRedirectsError extends DomainError {
  constructor(limit: number) {
    super('invalid', `The download was redirected more than ${limit} times.`);
  }
}

/** The server gave another answer than the data. */
export class DownloadAnswerError extends DomainError {
  constructor(host: string, answer: string) {
    super('invalid', `The download from ${host} failed: ${answer}.`);
  }
}

/** The data did not come, or not all of it. */
export class DownloadBrokenOffError extends DomainError {
  constructor(host: string, reason: string, cause?: unknown) {
    super('invalid', `The download from ${host} broke off: ${reason}.`, { cause });
  }
}

/** It would take up a place among the imports for hours. */
export class DownloadTooSlowError extends DomainError {
  constructor(host: string, bytesPerSecond: number) {
    super(
      'invalid',
      `The download from ${host} was ended: it brought less than ${bytesPerSecond} bytes per second.`,
    );
  }
}
