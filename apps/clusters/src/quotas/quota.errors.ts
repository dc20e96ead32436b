import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class QuotaNotFoundError extends DomainError {
  constructor(project: string, resource: string) {
    super(
      'not-found',
      `Quota could not be found: none of project ${project} is set for ${resource}.`,
    );
  }
}

/** A page that begins after one that is not there. */
export class UnknownQuotaError extends DomainError {
  constructor(id: string) {
    super('not-found', `Quota ${id} could not be found.`);
  }
}

export class QuotaExistsError extends DomainError {
  constructor(project: string, resource: string) {
    super('conflict', `A quota of project ${project} for ${resource} exists already.`);
  }
}

export class QuotaProjectMissingError extends InvalidInputError {
  constructor() {
    super('Must provide a valid project ID: project_id is missing.');
  }
}
