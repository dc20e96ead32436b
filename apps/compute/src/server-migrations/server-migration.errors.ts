import { DomainError } from '@cumulet/common/errors/domain-error';

export class MigrationMarkerNotFoundError extends DomainError {
  constructor(marker: string) {
    super('invalid', `Marker ${marker} could not be found.`);
  }
}

/** Of one that is asked for as a live migration which goes on. */
export class NoLiveMigrationError extends DomainError {
  constructor(message: string) {
    super('not-found', message);
  }
}

export class NotMigratingError extends DomainError {
  constructor(action: string, serverId: string) {
    super('conflict', `Instance ${serverId} is in an invalid state for '${action}'`);
  }
}
