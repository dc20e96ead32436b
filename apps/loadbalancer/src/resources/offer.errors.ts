/** What is refused of flavors, availability zones and their profiles. Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class ObjectInUseError extends DomainError {
  constructor(object: string, id: string) {
    super('conflict', `${object} ${id} is in use and cannot be modified.`);
  }
}

export class RecordAlreadyExistsError extends DomainError {
  constructor(field: string, name: string) {
    super('conflict', `A ${field} of ${name} already exists.`);
  }
}
