/** What can go wrong with namespaces of metadata definitions. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** There is none, or none that the caller may see: which of the two is not said. */
export class NamespaceNotFoundError extends DomainError {
  constructor(namespace: string) {
    super('not-found', `No metadata definition namespace '${namespace}' found.`);
  }
}

export class NamespaceExistsError extends DomainError {
  constructor(namespace: string) {
    super('conflict', `A metadata definition namespace '${namespace}' exists already.`);
  }
}

export class NamespaceProtectedError extends DomainError {
  /** @param what `its tag 'a'`; the namespace itself where absent */
  constructor(namespace: string, what?: string) {
    super(
      'forbidden',
      what === undefined
        ? `Namespace '${namespace}' is protected and cannot be deleted.`
        : `Namespace '${namespace}' is protected, and ${what} cannot be deleted.`,
    );
  }
}
