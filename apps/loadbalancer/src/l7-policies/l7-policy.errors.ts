/** Public source: octavia, `common/exceptions.py`. */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** What is given does not make an action. */
export class InvalidL7PolicyArgsError extends DomainError {
  constructor(reason: string) {
    super('invalid', `Invalid L7 Policy arguments: ${reason}`);
  }
}
