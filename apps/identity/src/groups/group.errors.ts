import { DomainError } from '@cumulet/common/errors/domain-error';

export class GroupNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `Could not find group: ${id}.`);
  }
}

/** Both exist, and have nothing to do with each other. */
export class MemberNotFoundError extends DomainError {
  constructor(groupId: string, userId: string) {
    super('not-found', `Could not find user ${userId} in group ${groupId}.`);
  }
}
