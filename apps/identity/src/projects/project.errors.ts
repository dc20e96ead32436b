import {
  DomainError,
  ForbiddenError,
  InvalidInputError,
} from '@cumulet/common/errors/domain-error';

export class ProjectNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find project: ${id}.`);
  }
}

/** A domain is shown as a project, but is made, changed and removed as what it is. */
export class ProjectIsDomainError extends InvalidInputError {
  /** @param operation `POST /v3/domains` */
  constructor(operation: string) {
    super(`Invalid input: a project cannot act as a domain. Use ${operation}.`);
  }
}

export class UnknownDomainError extends InvalidInputError {
  constructor(id: string) {
    super(`Invalid input: project.domain_id '${id}' is not the id of a domain.`);
  }
}

/** It does not say whether there is such a project in another domain. */
export class UnknownParentError extends InvalidInputError {
  constructor(id: string, domainId: string) {
    super(
      `Invalid input: project.parent_id '${id}' is neither the domain ${domainId} nor a project in it.`,
    );
  }
}

export class DisabledParentError extends InvalidInputError {
  constructor(parentId: string) {
    super(`Invalid input: a project cannot be created below ${parentId}, which is disabled.`);
  }
}

export class ProjectTooDeepError extends ForbiddenError {
  constructor(parentId: string) {
    super(`Cannot create a project below ${parentId}: a tree of projects has at most 5 levels.`);
  }
}

export class ParentFixedError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot change project.parent_id of ${id}: a project stays where it is in its tree.`);
  }
}

export class DisabledAboveError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot enable the project ${id}: its domain or a project above it is disabled.`);
  }
}

export class EnabledBelowError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot disable the project ${id}: there are enabled projects below it.`);
  }
}

export class ProjectNotLeafError extends ForbiddenError {
  constructor(id: string) {
    super(`Cannot delete the project ${id}: there are projects below it.`);
  }
}

export class OwnProjectError extends DomainError {
  constructor(id: string, what: 'delete' | 'disable') {
    super(
      'conflict',
      `Cannot ${what} the project ${id}: the token of this request is scoped to it.`,
    );
  }
}

/** The same projects were asked for in both forms. */
export class TwoFormsError extends InvalidInputError {
  constructor(what: 'parents' | 'subtree') {
    super(
      `Invalid input: ${what}_as_list and ${what}_as_ids cannot be asked for at the same time.`,
    );
  }
}
