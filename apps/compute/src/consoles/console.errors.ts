/** Refusals about consoles, in Nova's words. Public source: nova, `exception.py`. */
import { notFound, invalid, conflict } from '@cumulet/common/errors/domain-error';

export class ConsoleTokenNotFoundError extends notFound('Token not found') {}

export class ConsoleTypeUnavailableError extends invalid(
  (type: string) => `Unavailable console type ${type}.`,
) {}

export class ConsoleTypeInvalidError extends invalid(
  (type: string) => `Invalid console type ${type}`,
) {}

export class InstanceNotReadyError extends conflict(
  (id: string) => `Instance ${id} is not ready`,
) {}
