/**
 * Policies of what is shared, and nothing else: of all but networks. Public source: neutron,
 * `objects/rbac_db.py`, and each object's `get_bound_project_ids`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { Condition } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { addressGroups, visibleAddressGroups } from '../address-groups/address-groups.service.js';
import { addressScopes } from '../address-scopes/address-scopes.service.js';
import { POLICY_USERS, qosPolicies } from '../qos/qos-tables.js';
import { ownOrShared } from '../resource/visibility.js';
import { securityGroups } from '../security-groups/default-group.js';
import { visibleGroups } from '../security-groups/security-groups.service.js';
import { subnetpools } from '../subnetpools/subnet-allocation.js';
import type { Subnetpool } from '../subnetpools/subnetpool.entity.js';
import type { RbacKind } from './rbac-kind.js';
import { EVERYONE } from './rbac-policy.entity.js';
import { RbacPolicyInitError, refuseIfUsedByOthers } from './rbac-policy.errors.js';
import { isSharedWith, type SharedObject } from './sharing.js';

interface Shared<T extends SharedObject> {
  readonly rows: Table<T>;
  readonly visible: (ctx: RequestContext) => Condition[];
  /** SQL of `project_id`, one for each that uses it; `$1` is the object. */
  readonly users: string;
  /** The table that shows in `shared` whether everyone may use its rows. */
  readonly shownIn?: string;
  readonly checkTarget?: RbacKind<T>['checkTarget'];
}

function sharedKind<T extends SharedObject>(of: Shared<T>): RbacKind<T> {
  const { rows, visible, users, shownIn, checkTarget = () => Promise.resolve() } = of;
  return {
    actions: ['access_as_shared'],
    lock: (tx, id) => rows.lock(tx, id),
    async lockOwn(tx, id) {
      const seen = await rows.get(tx, id, visible(tx));
      if (!mayActOn(tx, seen.projectId)) {
        const only = 'Only admins can manipulate policies on objects they do not own';
        throw new InvalidInputError(only);
      }
      await rows.lock(tx, id);
      return rows.get(tx, id, visible(tx));
    },
    checkTarget,
    refuseIfNeeded: (tx, object, { targetTenant }) =>
      refuseIfUsedByOthers(tx, object, users, targetTenant),
    async revise(tx, { id }) {
      if (shownIn === undefined) return;
      await preparedRows(
        tx.manager,
        `UPDATE ${shownIn}
            SET shared = EXISTS (SELECT FROM rbac_policies
                                  WHERE object_id = $1 AND target_tenant = '${EVERYONE}')
          WHERE id = $1`,
        [id],
      );
    },
  };
}

export const qosPolicyKind = sharedKind({
  rows: qosPolicies,
  visible: ownOrShared,
  users: POLICY_USERS,
  shownIn: 'qos_policies',
});

export const subnetpoolKind = sharedKind({
  rows: subnetpools,
  visible: ownOrShared,
  users: 'SELECT project_id FROM subnets WHERE subnetpool_id = $1',
  shownIn: 'subnetpools',
  checkTarget: checkScopeOf,
});

export const addressScopeKind = sharedKind({
  rows: addressScopes,
  visible: ownOrShared,
  users: 'SELECT project_id FROM subnetpools WHERE address_scope_id = $1',
  shownIn: 'address_scopes',
});

export const addressGroupKind = sharedKind({
  rows: addressGroups,
  visible: visibleAddressGroups,
  users: 'SELECT project_id FROM security_group_rules WHERE remote_address_group_id = $1',
});

export const securityGroupKind = sharedKind({
  rows: securityGroups,
  visible: visibleGroups,
  users: `SELECT project_id FROM ports JOIN port_security_groups ON port_id = ports.id
           WHERE security_group_id = $1 AND state <> 'removing'`,
});

/** Whoever has subnets of a pool has them in its scope. */
async function checkScopeOf(
  tx: RequestContext,
  { id, addressScopeId }: Subnetpool,
  target: string,
): Promise<void> {
  if (addressScopeId === null || (await isSharedWith(tx, addressScopeId, target))) return;
  const scope = await addressScopes.find(tx, addressScopeId);
  if (scope?.projectId === target) return;
  const reason = "target project doesn't have access to associated address scope";
  throw new RbacPolicyInitError(id, reason);
}
