/**
 * Errors of Octavia's API that any resource may have. An error's class, without `Error`, is the `type` that
 * clients read, so each is named as Octavia's. Public source: octavia, `common/exceptions.py`.
 */
import { invalid, errorOf, conflict, notFound } from '@cumulet/common/errors/domain-error';

export class ValidationExceptionError extends invalid(
  (detail: string) => `Validation failure: ${detail}`,
) {}

export class InvalidOptionError extends invalid(
  (value: string, option: string) => `${value} is not a valid option for ${option}`,
) {}

/** The body refers to a resource that does not exist for the caller. */
export class InvalidSubresourceError extends invalid(
  (resource: string, id: string) => `${resource} ${id} not found.`,
) {}

export class ProviderUnsupportedOptionError extends errorOf(
  'unsupported',
  (provider: string, detail: string) =>
    `Provider '${provider}' does not support a requested option: ${detail}`,
) {}

export class InvalidLimitError extends invalid(
  (limit: string) => `Supplied pagination limit '${limit}' is not valid.`,
) {}

export class InvalidMarkerError extends invalid(
  (marker: string) => `Supplied pagination marker '${marker}' is not valid.`,
) {}

export class InvalidSortKeyError extends invalid(
  (key: string) => `Supplied sort key '${key}' is not valid.`,
) {}

export class InvalidSortDirectionError extends invalid(
  (direction: string) => `Supplied sort direction '${direction}' is not valid.`,
) {}

/** The load balancer is being changed or deleted. */
export class ImmutableObjectError extends conflict(
  (resource: string, id: string) => `${resource} ${id} is immutable and cannot be updated.`,
) {}

/** @param resource as Octavia calls it: `Load Balancer` */
export class NotFoundError extends notFound(
  (resource: string, id: string) => `${resource} ${id} not found.`,
) {}

/** A part under a listener that answers by itself. */
export class ListenerNoChildrenError extends invalid(
  (protocol: string) => `Protocol ${protocol} listeners cannot have child objects.`,
) {}

export class ObjectInUseError extends conflict(
  (object: string, id: string) => `${object} ${id} is in use and cannot be modified.`,
) {}

export class RecordAlreadyExistsError extends conflict(
  (field: string, name: string) => `A ${field} of ${name} already exists.`,
) {}
