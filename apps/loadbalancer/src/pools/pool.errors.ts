/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class DuplicatePoolEntryError extends DomainError {
  constructor() {
    super('conflict', 'This listener already has a default pool');
  }
}

export class PoolInUseByL7PolicyError extends DomainError {
  constructor(id: string, policyId: string) {
    super('conflict', `Pool ${id} is in use by L7 policy ${policyId}`);
  }
}
