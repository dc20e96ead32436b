/**
 * How a failure is told to the owner of a stack, in the form that clients of Heat look for:
 * `Resource CREATE failed: ValueError: resources.web: …`, and through nested stacks
 * `Resource CREATE failed: ValueError: resources.group.resources.web: …`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';

/** A resource failed for good: its message is its reason. */
export class ResourceFailure extends DomainError {
  constructor(error: DomainError, resource: string) {
    super(error.kind, reasonOf(error, resource), { cause: error, forOperator: error.forOperator });
  }
}

/** A step was refused because of the state that another one is in: `ValueError` and the like. */
export class TypedFailure extends DomainError {
  /** @param type of the exception, as Heat names it */
  constructor(
    readonly type: string,
    message: string,
  ) {
    super('unprocessable', message);
  }
}

/** What a stack below this one failed with. */
export class NestedFailure extends DomainError {
  constructor(readonly reason: string) {
    super('unprocessable', reason);
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
