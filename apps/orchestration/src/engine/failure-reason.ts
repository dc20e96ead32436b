/**
 * Failure reasons in the form that Heat's clients expect:
 * `Resource CREATE failed: ValueError: resources.web: …`, and through nested stacks
 * `Resource CREATE failed: ValueError: resources.group.resources.web: …`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { NestedFailure, TypedFailure } from '../resource-types/resource-type.errors.js';

/** A permanent failure of a resource, whose message is its status reason. */
export class ResourceFailure extends DomainError {
  constructor(error: DomainError, resource: string) {
    super(error.kind, reasonOf(error, resource), { cause: error, forOperator: error.forOperator });
  }
}

export function reasonOf(error: DomainError, resource: string): string {
  if (error instanceof NestedFailure) return nestedReason(error.reason, resource);
  return `${typeOf(error)}: resources.${resource}: ${error.message}`;
}

export function stackReason(action: string, reason: string): string {
  return `Resource ${action} failed: ${reason}`;
}

function nestedReason(reason: string, resource: string): string {
  const [, type, path, rest] =
    /^Resource [A-Z]+ failed: ([^:]*): (resources\.[^:]*): (.*)$/s.exec(reason) ?? [];
  if (rest === undefined) return `resources.${resource}: ${reason}`;
  return `${type}: resources.${resource}.${path}: ${rest}`;
}

function typeOf(error: DomainError): string {
  if (error instanceof TypedFailure) return error.type;
  return error.name.replace(/Error$/, '');
}
