/** Named, without `Error`, as in Heat. Public source: heat, `common/exception.py`. */
import { notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';

/**
 * It does not exist, or is another project's.
 * @param entity what it would be: `Stack`, `Resource Type`
 */
export class EntityNotFoundError extends notFound(
  (entity: string, name: string) => `The ${entity} (${name}) could not be found.`,
) {}

export class ResourceNotFoundError extends notFound(
  (name: string, stack: string) => `The Resource (${name}) could not be found in Stack ${stack}.`,
) {}

/** The resource has a row, but does not exist yet. */
export class ResourceNotAvailableError extends notFound(
  (name: string) => `The Resource (${name}) is not available.`,
) {}

export class SnapshotNotFoundError extends notFound(
  (id: string, stack: string) => `The Snapshot (${id}) for Stack (${stack}) could not be found.`,
) {}

/** WebOb's answer, which has no type of Heat's. */
export class HTTPNotFoundError extends notFound((message: string) => message) {}

export class StackExistsError extends conflict(
  (name: string) => `The Stack (${name}) already exists.`,
) {}

export class ActionInProgressError extends conflict(
  (name: string, action: string) => `Stack ${name} already has an action (${action}) in progress.`,
) {}

/** The state of the stack or resource does not allow it. */
export class NotSupportedError extends invalid(
  (feature: string) => `${feature} is not supported.`,
) {}

export class ResourceActionNotSupportedError extends invalid(
  (action: string) => `${action} is not supported for resource.`,
) {}

/** A limit of the service for all callers. */
export class RequestLimitExceededError extends invalid(
  (message: string) => `Request limit exceeded: ${message}`,
) {}

/** For entities other than stacks and their parts. */
export class NotFoundError extends notFound((message: string) => message) {}
