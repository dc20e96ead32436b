/** What can go wrong with the contents of a namespace. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { DefinitionKind } from './definition.js';

export class DefinitionNotFoundError extends DomainError {
  constructor(kind: DefinitionKind, name: string, namespace: string) {
    super('not-found', `Namespace '${namespace}' has no ${kind} '${name}'.`);
  }
}

export class DefinitionExistsError extends DomainError {
  constructor(kind: DefinitionKind, name: string, namespace: string) {
    super('conflict', `Namespace '${namespace}' cannot have the ${kind} '${name}' twice.`);
  }
}

export class PropertyPrefixError extends DomainError {
  constructor(name: string, prefix: string | null, resourceType: string) {
    super(
      'not-found',
      prefix === null
        ? `No property '${name}' found: names have no prefix for '${resourceType}'.`
        : `No property '${name}' found: for '${resourceType}' it must start with '${prefix}'.`,
    );
  }
}
