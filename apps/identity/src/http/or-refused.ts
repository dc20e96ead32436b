import {
  violatesCheck,
  violatesForeignKey,
  violatesUnique,
} from '@cumulet/common/database/violations';
import type { DomainError } from '@cumulet/common/errors/domain-error';

/**
 * Runs a statement; what Postgres refuses becomes the caller's error.
 * @param refusals by the name of the constraint, unique, foreign key or check
 */
export async function orRefused<T>(
  work: Promise<T>,
  refusals: Readonly<Record<string, () => DomainError>>,
): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    const refusal = Object.entries(refusals).find(
      ([constraint]) =>
        violatesUnique(failure, constraint) ||
        violatesForeignKey(failure, constraint) ||
        violatesCheck(failure, constraint),
    );
    throw refusal ? refusal[1]() : failure;
  }
}
