import { DomainError } from '@cumulet/common/errors/domain-error';

/** There is no such key, or nothing that it is good for. */
export class AccessKeyNotFoundError extends DomainError {
  constructor(access: string) {
    super('not-found', `Could not find access key: ${access}.`);
  }
}
