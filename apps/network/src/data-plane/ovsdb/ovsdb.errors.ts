import { UnavailableError } from '@cumulet/common/errors/domain-error';

export class OvsdbUnavailableError extends UnavailableError {
  constructor(database: string, cause: unknown) {
    super(`The database ${database} of the data plane does not answer.`, { cause });
  }
}

/** The transaction was refused as a whole. Public source: RFC 7047, section 5.2. */
export class OvsdbTransactionError extends Error {
  override readonly name = 'OvsdbTransactionError';

  /** @param code the server's name for the error, such as `referential integrity violation` */
  constructor(
    readonly code: string,
    details: string,
  ) {
    super(`The database refused a transaction (${code}): ${details}`);
  }

  /** Whether rows differed from what the transaction relied on. */
  get isConflict(): boolean {
    return CONFLICTS.has(this.code);
  }
}

const CONFLICTS = new Set(['timed out', 'duplicate uuid', 'referential integrity violation']);
