import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  InvalidInputError,
  PolicyNotAuthorizedError,
} from '@cumulet/common/resources/resource.errors';
import { ResourceService } from '../resource/resource.service.js';
import { kindOf } from './rbac-kind.js';
import {
  EVERYONE,
  type NewRbacPolicy,
  RBAC_TYPES,
  RbacPolicy,
  type RbacPolicyAttributes,
  type RbacPolicyChange,
  rbacPolicyResource,
} from './rbac-policy.resource.js';
import type { RbacAction, RbacType } from './rbac-policy.resource.js';
import * as errors from './rbac-policy.errors.js';
import { resourceTable } from '../resource/resource.table.js';

export const rbacPolicies = resourceTable(RbacPolicy, errors.RbacPolicyNotFoundError, {
  rbac_policies_object_key: () => new errors.DuplicateRbacPolicyError(),
});

@Injectable()
export class RbacPoliciesService extends ResourceService<RbacPolicy, RbacPolicyAttributes> {
  protected readonly resource = rbacPolicyResource;
  protected readonly table = rbacPolicies;

  /** Locks objects in a fixed order, so that concurrent requests do not deadlock. */
  protected override async prepare(
    tx: RequestContext,
    bodies: readonly NewRbacPolicy[],
  ): Promise<void> {
    for (const body of bodies) askedKind(body);
    for (const type of RBAC_TYPES) {
      const named = bodies.filter((body) => body.objectType === type);
      for (const id of [...new Set(named.map(({ objectId: object_id }) => object_id))].sort())
        await kindOf(type).lockOwn(tx, id);
    }
  }

  protected override async make(tx: RequestContext, body: NewRbacPolicy): Promise<RbacPolicy> {
    const { type: objectType, action } = askedKind(body);
    const kind = kindOf(objectType);
    refuseWildcard(tx, 'create', body.targetTenant);
    const object = await kind.lockOwn(tx, body.objectId);
    await kind.checkTarget(tx, object, body.targetTenant);
    const policy = await rbacPolicies.insert(tx, {
      ...this.newRow(tx, body),
      objectType,
      action,
    });
    await kind.revise(tx, object);
    return policy;
  }

  protected override async change(
    tx: RequestContext,
    policy: RbacPolicy,
    body: RbacPolicyChange,
  ): Promise<RbacPolicy> {
    refuseWildcard(tx, 'update', body.targetTenant);
    const kind = kindOf(policy.objectType);
    const object = await kind.lockOwn(tx, policy.objectId);
    const changed = await this.save(tx, policy, this.columnsOf(body));
    if (changed.targetTenant !== policy.targetTenant) {
      await kind.checkTarget(tx, object, changed.targetTenant);
      await kind.refuseIfNeeded(tx, object, policy);
      await kind.revise(tx, object);
    }
    return changed;
  }

  protected override async erase(tx: RequestContext, policy: RbacPolicy): Promise<void> {
    const kind = kindOf(policy.objectType);
    const object = await kind.lock(tx, policy.objectId);
    await rbacPolicies.delete(tx, policy.id);
    await kind.refuseIfNeeded(tx, object, policy);
    await kind.revise(tx, object);
  }

  /** Objects are locked before policies, as by everyone who changes access to an object. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<RbacPolicy, RbacPolicyAttributes>['lockOwn']>
  ): Promise<RbacPolicy> {
    const { objectType, objectId } = await this.get(tx, id);
    await kindOf(objectType).lock(tx, objectId);
    return super.lockOwn(tx, id, ...rest);
  }
}

/** @throws InvalidInputError, InvalidActionForTypeError */
function askedKind(body: NewRbacPolicy): { type: RbacType; action: RbacAction } {
  const type = RBAC_TYPES.find((one) => one === body.objectType);
  if (type === undefined)
    throw new InvalidInputError(`'${body.objectType}' is not a valid RBAC object type`);
  const { actions } = kindOf(type);
  const action = actions.find((one) => one === body.action);
  if (action === undefined) throw new errors.InvalidActionForTypeError(body.action, type, actions);
  return { type, action };
}

/** Policies for every project are for administrators. */
function refuseWildcard(
  tx: RequestContext,
  verb: 'create' | 'update',
  target: string | undefined,
): void {
  if (target === EVERYONE && !tx.isAdmin)
    throw new PolicyNotAuthorizedError(`${verb}_rbac_policy:target_tenant`);
}
