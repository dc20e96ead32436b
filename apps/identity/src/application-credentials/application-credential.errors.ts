import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class ApplicationCredentialNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find application credential: ${id}.`);
  }
}

/** Names are unique among the credentials of a user. */
export class DuplicateApplicationCredentialError extends DomainError {
  constructor(name: string) {
    super('conflict', `An application credential with the name '${name}' exists already.`);
  }
}

/** The caller's token is of no project, for which the credential would be. */
export class ProjectTokenRequiredError extends ForbiddenError {
  constructor() {
    super('An application credential is made with a token of its project; this token has none.');
  }
}

/** A credential gives no role that the caller's token has not. */
export class UnassignedRoleError extends InvalidInputError {
  constructor(role: string) {
    super(`Invalid input: the role '${role}' is not among the roles of the token.`);
  }
}
