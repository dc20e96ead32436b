import { DomainError, ForbiddenError } from '@cumulet/common/errors/domain-error';

export class DomainNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find domain: ${id}.`);
  }
}

/** The id that a new domain is to have belongs to another one, or to a project. */
export class DomainIdTakenError extends DomainError {
  constructor(id: string) {
    super('conflict', `A domain or a project with the id ${id} exists already.`);
  }
}

/** Deleting takes two steps, so that nobody does it by mistake. */
export class DomainEnabledError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot delete the domain ${id} while it is enabled. Disable it first.`);
  }
}

/** The cloud's own users and projects are in it. */
export class DefaultDomainError extends ForbiddenError {
  constructor(id: string, what: 'delete' | 'disable') {
    super(`Cannot ${what} the domain ${id}: it is the default domain.`);
  }
}

export class OwnDomainError extends DomainError {
  constructor(id: string, what: 'delete' | 'disable') {
    super(
      'conflict',
      `Cannot ${what} the domain ${id}: the token of this request is scoped to it, or to a project in it.`,
    );
  }
}
