/** Public source: neutron, `db/db_base_plugin_v2.py`, `db/external_net_db.py`. */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import type { RbacKind } from '../rbac-policies/rbac-kind.js';
import type { Network } from './network.entity.js';
import { InvalidSharedSettingError } from './network.errors.js';
import { networks, visibleNetworks } from './networks.service.js';
import { EVERYONE, type RbacPolicy } from '../rbac-policies/rbac-policy.resource.js';
import { RbacPolicyInUseError } from '../rbac-policies/rbac-policy.errors.js';
import { rbacPolicies } from '../rbac-policies/rbac-policies.service.js';
import { isUncovered } from '../rbac-policies/sharing.js';
import { externalPolicies, hasPortsOfOthers, makeInternal } from './network-access.js';

export const networkKind: RbacKind<Network> = {
  actions: ['access_as_shared', 'access_as_external'],

  lock: (tx, id) => networks.lock(tx, id),

  async lockOwn(tx, id) {
    const seen = await networks.get(tx, id, visibleNetworks(tx));
    if (!mayActOn(tx, seen.projectId)) {
      const only = 'Only admins can manipulate policies on networks they do not own';
      throw new InvalidInputError(only);
    }
    await networks.lock(tx, id);
    return networks.get(tx, id, visibleNetworks(tx));
  },

  checkTarget: () => Promise.resolve(),

  refuseIfNeeded: (tx, network, policy) =>
    policy.action === 'access_as_shared'
      ? refuseIfShared(tx, network, policy)
      : refuseIfWayOut(tx, network, policy),

  async revise(tx, network) {
    if (network.isExternal && !(await rbacPolicies.has(tx, externalPolicies(network.id))))
      await makeInternal(tx, network);
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
      [network.id],
    );
  },
};

async function refuseIfShared(
  tx: RequestContext,
  network: Network,
  { targetTenant }: RbacPolicy,
): Promise<void> {
  const { id } = network;
  if (await hasPortsOfOthers(tx, network, targetTenant))
    throw new RbacPolicyInUseError(id, new InvalidSharedSettingError(id).message);
}

async function refuseIfWayOut(
  tx: RequestContext,
  network: Network,
  { targetTenant }: RbacPolicy,
): Promise<void> {
  if (targetTenant === EVERYONE && network.isDefault) {
    const reason = 'Default external networks must be shared to everyone.';
    throw new RbacPolicyInUseError(network.id, reason);
  }
  if (await hasGatewaysOfOthers(tx, network, targetTenant)) {
    const reason =
      'There are routers attached to this network that depend on this policy for access.';
    throw new RbacPolicyInUseError(network.id, reason);
  }
}

/** Whether routers of a project have gateways there that no current policy allows. */
function hasGatewaysOfOthers(
  tx: RequestContext,
  network: Network,
  target: string,
): Promise<boolean> {
  const users = `SELECT routers.project_id FROM router_ports
                   JOIN ports ON ports.id = port_id
                   JOIN routers ON routers.id = router_id
                  WHERE network_id = $1 AND kind = 'gateway'`;
  return isUncovered(tx, network, users, target, 'access_as_external');
}
