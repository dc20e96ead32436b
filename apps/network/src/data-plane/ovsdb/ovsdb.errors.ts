import { UnavailableError } from '@cumulet/common/errors/domain-error';

/** The database server does not answer. */
export class OvsdbUnavailableError extends UnavailableError {
  constructor(database: string, cause: unknown) {
    super(`The database ${database} of the data plane does not answer.`, { cause });
  }
}

/** A transaction was refused, and nothing of it was done. Public source: RFC 7047, section 5.2. */
export class OvsdbTransactionError extends Error {
  override readonly name = 'OvsdbTransactionError';

  /** @param code as the server names it: `referential integrity violation` */
  constructor(
    readonly code: string,
    details: string,
  ) {
    super(`The database refused a transaction (${code}): ${details}`);
  }

  /** Whether rows were no more as the transaction took them to be. */
  get isConflict(): boolean {
    return CONFLICTS.has(this.code);
  }
}

const CONFLICTS = new Set(['timed out', 'duplicate uuid', 'referential integrity violation']);
