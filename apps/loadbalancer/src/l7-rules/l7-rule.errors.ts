/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

export class L7RuleValidationError extends DomainError {
  constructor(reason: string) {
    super('invalid', `Error parsing L7Rule: ${reason}`);
  }
}

export class TooManyL7RulesOnL7PolicyError extends DomainError {
  constructor(id: string) {
    super('conflict', `Too many rules on L7 policy ${id}`);
  }
}
