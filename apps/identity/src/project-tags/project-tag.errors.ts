import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { MOST_TAGS } from '../http/tags.js';

export class ProjectTagNotFoundError extends DomainError {
  constructor(tag: string) {
    super('not-found', `Could not find project tag: ${tag}.`);
  }
}

export class InvalidTagError extends InvalidInputError {
  constructor(tag: string, fault: string) {
    super(`Invalid input: the tag '${tag}' ${fault}.`);
  }
}

export class TagExistsError extends InvalidInputError {
  constructor(projectId: string, tag: string) {
    super(`Invalid input: the project ${projectId} has the tag '${tag}' already.`);
  }
}

export class TooManyTagsError extends InvalidInputError {
  constructor(projectId: string) {
    super(`Invalid input: the project ${projectId} has ${MOST_TAGS} tags, and can have no more.`);
  }
}
