import { DomainError } from '@cumulet/common/errors/domain-error';

export class AgentNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Agent ${id} could not be found.`);
  }
}
