/**
 * Access of other projects to a network by RBAC policies. `shared` stands for the policy for
 * everyone; the network is external while any policy makes it so. Public source: neutron,
 * `db/external_net_db.py`, `_validate_network_rbac_policy_change` in `db/db_base_plugin_v2.py`.
 *
 * Policies change only under the lock of their network, and ports and gateways are created under
 * it.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { EVERYONE } from '../rbac-policies/rbac-policy.resource.js';
import { rbacPolicies } from '../rbac-policies/rbac-policies.service.js';
import { unshareFromAll, isUncovered } from '../rbac-policies/sharing.js';
import { networkUsers } from './network-users.js';
import type { Network } from './network.entity.js';
import { ExternalNetworkInUseError, InvalidSharedSettingError } from './network.errors.js';

/** The networks that a project owns or has any kind of access to. */
export function accessibleBy(projectId: string, idColumn = 'id'): Condition {
  return (bind, column) => {
    const project = bind(projectId);
    return `${column(idColumn)} = ANY(ARRAY(
      SELECT networks.id FROM networks WHERE networks.project_id = ${project}
       UNION ALL
      SELECT object_id FROM rbac_policies WHERE target_tenant IN ('${EVERYONE}', ${project})))`;
  };
}

/** Other projects keep the access that their policies give. @throws InvalidSharedSettingError */
export async function unshare(tx: RequestContext, network: Network): Promise<void> {
  await unshareFromAll(tx, network.id);
  if (await hasPortsOfOthers(tx, network, EVERYONE))
    throw new InvalidSharedSettingError(network.id);
}

export function externalPolicies(networkId: string): Condition[] {
  return [equals('objectId', networkId), equals('action', 'access_as_external')];
}

/** @throws ExternalNetworkInUseError while a router has a gateway there */
export async function makeInternal(tx: RequestContext, { id }: Network): Promise<void> {
  const gateways = await preparedRows(
    tx.manager,
    `SELECT FROM router_ports JOIN ports ON ports.id = port_id
      WHERE network_id = $1 AND kind = 'gateway' LIMIT 1`,
    [id],
  );
  if (gateways.length > 0) throw new ExternalNetworkInUseError(id);
  for (const user of networkUsers) await user.closed?.(tx, id);
  await rbacPolicies.deleteAll(tx, externalPolicies(id));
}

/**
 * Whether a project still has ports on the network without any current policy that allows them.
 * @param target of the removed policy: a project, or everyone
 */
export function hasPortsOfOthers(
  tx: RequestContext,
  network: Network,
  target: string,
): Promise<boolean> {
  const users = "SELECT project_id FROM ports WHERE network_id = $1 AND state <> 'removing'";
  return isUncovered(tx, network, users, target);
}
