import { DomainError } from '@cumulet/common/errors/domain-error';

/** Public source: octavia, `common/exceptions.py`. */
export class DuplicateHealthMonitorError extends DomainError {
  constructor() {
    super('conflict', 'This pool already has a health monitor');
  }
}
