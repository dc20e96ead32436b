import { invalid, notFound, conflict } from '@cumulet/common/errors/domain-error';

export class MigrationMarkerNotFoundError extends invalid(
  (marker: string) => `Marker ${marker} could not be found.`,
) {}

/** A live migration that is over, or never was. */
export class NoLiveMigrationError extends notFound((message: string) => message) {}

export class NotMigratingError extends conflict(
  (action: string, serverId: string) =>
    `Instance ${serverId} is in an invalid state for '${action}'`,
) {}
