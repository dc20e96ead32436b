/**
 * What can go wrong with stacks and what they have. The names of these classes, without `Error`, are
 * the types that Heat's clients know. Public source: heat, `common/exception.py`.
 */
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

/** It has a row, and nothing stands behind that yet. */
export class ResourceNotAvailableError extends notFound(
  (name: string) => `The Resource (${name}) is not available.`,
) {}

export class SnapshotNotFoundError extends notFound(
  (id: string, stack: string) => `The Snapshot (${id}) for Stack (${stack}) could not be found.`,
) {}

/** Without a type of Heat's own: what WebOb answers. */
export class HTTPNotFoundError extends notFound((message: string) => message) {}

export class StackExistsError extends conflict(
  (name: string) => `The Stack (${name}) already exists.`,
) {}

export class ActionInProgressError extends conflict(
  (name: string, action: string) => `Stack ${name} already has an action (${action}) in progress.`,
) {}

/** The stack, or the resource, is not in a state for it. */
export class NotSupportedError extends invalid(
  (feature: string) => `${feature} is not supported.`,
) {}

export class ResourceActionNotSupportedError extends invalid(
  (action: string) => `${action} is not supported for resource.`,
) {}

/** More than the service takes, whoever asks. */
export class RequestLimitExceededError extends invalid(
  (message: string) => `Request limit exceeded: ${message}`,
) {}

/** A thing other than a stack, or what a stack has. */
export class NotFoundError extends notFound((message: string) => message) {}
