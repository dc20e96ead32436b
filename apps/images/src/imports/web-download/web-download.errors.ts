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

/** The server gave another answer than the data, or the data did not come, not whole, or too slowly. */
export class DownloadFailedError extends DomainError {
  /** @param what completes `The download from <host> …` */
  constructor(host: string, what: string, cause?: unknown) {
    super('invalid', `The download from ${host} ${what}.`, { cause });
  }
}
