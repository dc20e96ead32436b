import { InvalidInputError } from '@cumulet/common/errors/domain-error';

/** A body that names another resource than its path does. */
export class OtherIdError extends InvalidInputError {
  constructor(kind: string, id: string, named: string) {
    super(`Invalid input: ${kind}.id '${named}' is not the id '${id}' of the path.`);
  }
}

/**
 * Ids are given once; a client that sends back what it has read may repeat them.
 * @throws OtherIdError
 */
export function refuseOtherId(kind: string, id: string, named: string | null | undefined): void {
  if (named != null && named !== id) throw new OtherIdError(kind, id, named);
}
