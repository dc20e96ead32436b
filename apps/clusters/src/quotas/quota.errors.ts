import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class QuotaNotFoundError extends DomainError {
  constructor(project: string, resource: string) {
    super(
      'not-found',
      `Quota could not be found: none of project ${project} is set for ${resource}.`,
    );
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
