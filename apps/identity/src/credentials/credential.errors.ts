import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class CredentialNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find credential: ${id}.`);
  }
}

/** Another one, of whomever, has the same access key. */
export class CredentialExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `A credential with the id ${id} exists already: its access key is taken.`);
  }
}

export class Ec2ProjectRequiredError extends InvalidInputError {
  constructor() {
    super('Invalid input: credential.project_id is required for the type ec2.');
  }
}

/** The caller's token is of a delegation, and of another project than the credential. */
export class ForeignProjectError extends ForbiddenError {
  constructor(projectId: string | null) {
    const where = projectId === null ? 'is of no project' : `is of the project ${projectId}`;
    super(`The credential ${where}; a delegated token reaches those of its own project alone.`);
  }
}

/** A credential outlives what its maker was given. */
export class DelegatedWriteError extends ForbiddenError {
  constructor() {
    super(
      'Tokens of trusts and of restricted application credentials neither make nor change credentials.',
    );
  }
}
