import { InvalidInputError } from '@cumulet/common/errors/domain-error';

export class ContradictoryFiltersError extends InvalidInputError {
  /** @param filters that no assignment can match together */
  constructor(filters: readonly string[]) {
    super(
      `Invalid input: ${filters.join(' and ')} cannot be combined: no role assignment matches them.`,
    );
  }
}

export class SubtreeWithoutProjectError extends InvalidInputError {
  constructor() {
    super('Invalid input: scope.project.id must be specified where include_subtree is.');
  }
}
