/** Errors of Neutron's API layer for any resource, in addition to those of every service. */
import { errorOf, notFound } from '@cumulet/common/errors/domain-error';

/** The resource has changed since the client read it. */
export class RevisionNumberConstraintFailedError extends errorOf(
  'precondition-failed',
  (expected: number, current: number) =>
    `Constrained to ${expected}, but current revision is ${current}`,
) {}

export class TagNotFoundError extends notFound((tag: string) => `Tag ${tag} could not be found.`) {}
