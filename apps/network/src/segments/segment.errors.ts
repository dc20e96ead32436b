import { notFound, conflict } from '@cumulet/common/errors/domain-error';

export class SegmentNotFoundError extends notFound(
  (id: unknown) => `Segment ${String(id)} could not be found.`,
) {}

export class SegmentInUseError extends conflict(
  (id: string, reason: string) => `Segment '${id}' cannot be deleted: ${reason}.`,
) {}
