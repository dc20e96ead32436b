import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mayActOn, reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import * as access from '../networks/network-access.js';
import type { Network } from '../networks/network.entity.js';
import { InvalidSharedSettingError } from '../networks/network.errors.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { InvalidInputError, PolicyNotAuthorizedError } from '../resource/resource.errors.js';
import { ResourceService } from '../resource/resource.service.js';
import { ACTIONS, EVERYONE, RbacPolicy, type RbacAction } from './rbac-policy.entity.js';
import * as errors from './rbac-policy.errors.js';
import { rbacPolicyResource, type NewRbacPolicy } from './rbac-policy.resource.js';
import type { RbacPolicyAttributes, RbacPolicyChange } from './rbac-policy.resource.js';

export const rbacPolicies = new Table(RbacPolicy, {
  missing: (key) => new errors.RbacPolicyNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
  refusals: { rbac_policies_object_key: () => new errors.DuplicateRbacPolicyError() },
});

/** Kinds of things that Neutron's policies share besides networks. */
const OTHER_TYPES = [
  'address_group',
  'address_scope',
  'qos_policy',
  'security_group',
  'subnetpool',
];

@Injectable()
export class RbacPoliciesService extends ResourceService<RbacPolicy, RbacPolicyAttributes> {
  protected readonly resource = rbacPolicyResource;
  protected readonly table = rbacPolicies;

  protected visible(ctx: RequestContext): Condition[] {
    return reachable(ctx);
  }

  /** In one order: no two requests wait for each other's networks. */
  protected override async prepare(
    tx: RequestContext,
    bodies: readonly NewRbacPolicy[],
  ): Promise<void> {
    for (const body of bodies) checkKind(body);
    for (const id of [...new Set(bodies.map(({ object_id }) => object_id))].sort())
      await lockNetwork(tx, id);
  }

  protected async make(tx: RequestContext, body: NewRbacPolicy): Promise<RbacPolicy> {
    const action = checkKind(body);
    refuseWildcard(tx, 'create', body.target_tenant);
    const network = await lockNetwork(tx, body.object_id);
    const policy = await rbacPolicies.insert(tx, {
      ...this.columnsOf(body),
      ...{ id: randomUUID(), projectId: tx.projectId, objectType: 'network', action },
    });
    await revise(tx, network.id);
    return policy;
  }

  protected async change(
    tx: RequestContext,
    policy: RbacPolicy,
    body: RbacPolicyChange,
  ): Promise<RbacPolicy> {
    refuseWildcard(tx, 'update', body.target_tenant);
    const network = await lockNetwork(tx, policy.objectId);
    const changed = await this.save(tx, policy, this.columnsOf(body));
    if (changed.targetTenant !== policy.targetTenant) {
      await refuseIfNeeded(tx, network, policy);
      await revise(tx, network.id);
    }
    return changed;
  }

  protected async erase(tx: RequestContext, policy: RbacPolicy): Promise<void> {
    const network = await networks.lock(tx, policy.objectId);
    await rbacPolicies.delete(tx, policy.id);
    await refuseIfNeeded(tx, network, policy);
    if (network.isExternal && !(await access.hasExternalPolicy(tx, network.id)))
      await access.makeInternal(tx, network);
    await revise(tx, network.id);
  }

  /** Networks before policies: whoever changes who has a network has it first. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<RbacPolicy, RbacPolicyAttributes>['lockOwn']>
  ): Promise<RbacPolicy> {
    const { objectId } = await this.get(tx, id);
    await networks.lock(tx, objectId);
    return super.lockOwn(tx, id, ...rest);
  }
}

function checkKind({ object_type: type, action }: NewRbacPolicy): RbacAction {
  if (OTHER_TYPES.includes(type))
    throw new UnsupportedOperationError(`An RBAC policy of the object type '${type}'`);
  if (type !== 'network') throw new InvalidInputError(`'${type}' is not a valid RBAC object type`);
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) throw new errors.InvalidActionForTypeError(action, type);
  return known;
}

/** What concerns every project is for administrators. */
function refuseWildcard(
  tx: RequestContext,
  verb: 'create' | 'update',
  target: string | undefined,
): void {
  if (target === EVERYONE && !tx.isAdmin)
    throw new PolicyNotAuthorizedError(`${verb}_rbac_policy:target_tenant`);
}

/** @returns the network, which is the caller's, as it is now */
async function lockNetwork(tx: RequestContext, id: string): Promise<Network> {
  const seen = await networks.get(tx, id, visibleNetworks(tx));
  if (!mayActOn(tx, seen.projectId)) {
    throw new InvalidInputError('Only admins can manipulate policies on networks they do not own');
  }
  await networks.lock(tx, id);
  return networks.get(tx, id, visibleNetworks(tx));
}

/** @param before the policy as it was; that it is another one by now is written already */
async function refuseIfNeeded(
  tx: RequestContext,
  network: Network,
  { action, targetTenant }: RbacPolicy,
): Promise<void> {
  const { id } = network;
  if (action === 'access_as_shared') {
    if (await access.hasPortsOfOthers(tx, network, targetTenant))
      throw new errors.RbacPolicyInUseError(id, new InvalidSharedSettingError(id).message);
    return;
  }
  if (targetTenant === EVERYONE && network.isDefault) {
    const reason = 'Default external networks must be shared to everyone.';
    throw new errors.RbacPolicyInUseError(id, reason);
  }
  if (await access.hasGatewaysOfOthers(tx, network, targetTenant)) {
    const reason =
      'There are routers attached to this network that depend on this policy for access.';
    throw new errors.RbacPolicyInUseError(id, reason);
  }
}

/** What the network shows of its policies, and that it has changed. */
async function revise(tx: RequestContext, networkId: string): Promise<void> {
  await preparedRows(
    tx.manager,
    `UPDATE networks
        SET shared = EXISTS (SELECT FROM rbac_policies WHERE object_id = $1
                              AND action = 'access_as_shared' AND target_tenant = '${EVERYONE}'),
            is_external = EXISTS (SELECT FROM rbac_policies WHERE object_id = $1
                                   AND action = 'access_as_external'),
            revision_number = revision_number + 1,
            updated_at = clock_timestamp()
      WHERE id = $1`,
    [networkId],
  );
}
