import { DomainError, notFound, conflict, invalid } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { RbacAction } from './rbac-policy.resource.js';
import { isUncovered, type SharedObject } from './sharing.js';

export class RbacPolicyNotFoundError extends notFound(
  (id: unknown) => `RBAC policy of type unknown with ID ${String(id)} not found`,
) {}

export class RbacPolicyInUseError extends conflict(
  (objectId: string, details: string) =>
    `RBAC policy on object ${objectId} cannot be removed because other objects depend on it.\nDetails: ${details}`,
) {}

export class DuplicateRbacPolicyError extends conflict(
  'An RBAC policy already exists with those values.',
) {}

export class InvalidActionForTypeError extends DomainError {
  constructor(action: string, type: string, actions: readonly RbacAction[]) {
    const valid = actions.map((one) => `'${one}'`).join(', ');
    super(
      'invalid',
      `Invalid action '${action}' for object type '${type}'. Valid actions: (${valid})`,
    );
  }
}

/** The target could not use the object even with the policy. */
export class RbacPolicyInitError extends invalid(
  (objectId: string, reason: string) =>
    `Failed to create RBAC policy on object ${objectId} because ${reason}.`,
) {}

/** @throws RbacPolicyInUseError if `isUncovered` */
export async function refuseIfUsedByOthers(
  tx: RequestContext,
  object: SharedObject,
  users: string,
  target: string,
): Promise<void> {
  if (await isUncovered(tx, object, users, target))
    throw new RbacPolicyInUseError(object.id, `project_id=${target}`);
}
