/** Refusals about flavors, in Nova's words. Public source: nova, `exception.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class FlavorNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Flavor ${id} could not be found.`);
  }
}

export class FlavorExistsError extends DomainError {
  constructor(name: string) {
    super('conflict', `Flavor with name ${name} already exists.`);
  }
}

export class FlavorIdExistsError extends DomainError {
  constructor(id: string) {
    super('conflict', `Flavor with ID ${id} already exists.`);
  }
}

export class ExtraSpecNotFoundError extends DomainError {
  constructor(id: string, key: string) {
    super('not-found', `Flavor ${id} has no extra specs with key ${key}.`);
  }
}

export class NoAccessListError extends DomainError {
  constructor() {
    super('not-found', 'Access list not available for public flavors.');
  }
}

export class PublicFlavorError extends DomainError {
  constructor() {
    super('conflict', 'Can not add access to a public flavor.');
  }
}

export class FlavorAccessExistsError extends DomainError {
  constructor(id: string, projectId: string) {
    super(
      'conflict',
      `Flavor access already exists for flavor ${id} and project ${projectId} combination.`,
    );
  }
}

export class FlavorAccessNotFoundError extends DomainError {
  constructor(id: string, projectId: string) {
    super('not-found', `Flavor access not found for ${id} / ${projectId} combination.`);
  }
}
