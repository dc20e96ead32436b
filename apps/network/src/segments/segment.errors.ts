import { DomainError } from '@cumulet/common/errors/domain-error';

export class SegmentNotFoundError extends DomainError {
  constructor(id: unknown) {
    super('not-found', `Segment ${String(id)} could not be found.`);
  }
}

export class SegmentInUseError extends DomainError {
  constructor(id: string, reason: string) {
    super('conflict', `Segment '${id}' cannot be deleted: ${reason}.`);
  }
}
