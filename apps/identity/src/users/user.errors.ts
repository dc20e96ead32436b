import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class UserNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find user: ${id}.`);
  }
}

/** Nobody takes the ground from under its own feet, and so from the last administrator's. */
export class OwnUserError extends DomainError {
  constructor(id: string, what: 'delete' | 'disable') {
    super('conflict', `The user ${id} cannot ${what} itself: let another administrator do it.`);
  }
}

export class DefaultProjectNotFoundError extends InvalidInputError {
  constructor(id: string) {
    super(`Invalid input: user.default_project_id '${id}' is not the id of a project.`);
  }
}
