/**
 * Which projects have access to a network besides its own: those that its RBAC policies name. Its
 * `shared` is the policy for everyone; it is external while any policy makes it so.
 * Public source: neutron, `db/external_net_db.py`, `_validate_network_rbac_policy_change` in
 * `db/db_base_plugin_v2.py`.
 *
 * Policies change only under the lock of their network, and ports and gateways are made under it.
 */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { Condition } from '@cumulet/common/tables/condition';
import { deleteUnused } from '../floatingips/unused-floating-ips.js';
import { EVERYONE, type RbacAction } from '../rbac-policies/rbac-policy.entity.js';
import type { Network } from './network.entity.js';
import { ExternalNetworkInUseError, InvalidSharedSettingError } from './network.errors.js';

/** The networks that a project has, or has access to, in whatever way. */
export function accessibleBy(projectId: string, idColumn = 'id'): Condition {
  return (bind, column) => {
    const project = bind(projectId);
    return `${column(idColumn)} = ANY(ARRAY(
      SELECT networks.id FROM networks WHERE networks.project_id = ${project}
       UNION ALL
      SELECT object_id FROM rbac_policies WHERE target_tenant IN ('${EVERYONE}', ${project})))`;
  };
}

/** The networks that are shared with a project, or with everyone. @returns SQL of their ids */
export function sharedWith(project: string): string {
  return `SELECT object_id FROM rbac_policies
           WHERE action = 'access_as_shared' AND target_tenant IN ('${EVERYONE}', ${project})`;
}

export async function isSharedWith(
  tx: RequestContext,
  networkId: string,
  projectId: string,
): Promise<boolean> {
  const rows = await preparedRows(tx.manager, `${sharedWith('$2')} AND object_id = $1 LIMIT 1`, [
    networkId,
    projectId,
  ]);
  return rows.length > 0;
}

/** Gives everyone access, if they do not have it. */
export async function openToAll(
  tx: RequestContext,
  { id, projectId }: Pick<Network, 'id' | 'projectId'>,
  action: RbacAction,
): Promise<void> {
  await preparedRows(
    tx.manager,
    `INSERT INTO rbac_policies (id, project_id, object_id, action, target_tenant)
     VALUES ($1, $2, $3, $4, '${EVERYONE}') ON CONFLICT DO NOTHING`,
    [randomUUID(), projectId, id, action],
  );
}

/** Other projects with policies of their own keep their access. @throws InvalidSharedSettingError */
export async function unshare(tx: RequestContext, network: Network): Promise<void> {
  await preparedRows(
    tx.manager,
    `DELETE FROM rbac_policies
      WHERE object_id = $1 AND action = 'access_as_shared' AND target_tenant = '${EVERYONE}'`,
    [network.id],
  );
  if (await hasPortsOfOthers(tx, network, EVERYONE))
    throw new InvalidSharedSettingError(network.id);
}

/** Nobody's way out any longer. @throws ExternalNetworkInUseError while it is some router's */
export async function makeInternal(tx: RequestContext, { id }: Network): Promise<void> {
  const gateways = await preparedRows(
    tx.manager,
    `SELECT FROM router_ports JOIN ports ON ports.id = port_id
      WHERE network_id = $1 AND kind = 'gateway' LIMIT 1`,
    [id],
  );
  if (gateways.length > 0) throw new ExternalNetworkInUseError(id);
  await deleteUnused(tx, id);
  await preparedRows(
    tx.manager,
    `DELETE FROM rbac_policies WHERE object_id = $1 AND action = 'access_as_external'`,
    [id],
  );
}

/** Whether any policy makes it a way out. */
export async function hasExternalPolicy(tx: RequestContext, id: string): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM rbac_policies WHERE object_id = $1 AND action = 'access_as_external' LIMIT 1`,
    [id],
  );
  return rows.length > 0;
}

const uncovered = (project: string, action: RbacAction): string => `
  ${project} NOT IN ('', $2) AND ($3 = '${EVERYONE}' OR ${project} = $3)
  AND NOT EXISTS (SELECT FROM rbac_policies
                   WHERE object_id = $1 AND action = '${action}'
                     AND target_tenant IN ('${EVERYONE}', ${project}))`;

/**
 * Whether a project has ports on a network that no policy, as they are now, lets it have.
 * @param target of the policy that there was: a project, or everyone
 */
export async function hasPortsOfOthers(
  tx: RequestContext,
  { id, projectId }: Network,
  target: string,
): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM ports WHERE network_id = $1 AND state <> 'removing'
        AND ${uncovered('ports.project_id', 'access_as_shared')} LIMIT 1`,
    [id, projectId, target],
  );
  return rows.length > 0;
}

/** The same of routers that have a way out there. */
export async function hasGatewaysOfOthers(
  tx: RequestContext,
  { id, projectId }: Network,
  target: string,
): Promise<boolean> {
  const rows = await preparedRows(
    tx.manager,
    `SELECT FROM router_ports
       JOIN ports ON ports.id = port_id
       JOIN routers ON routers.id = router_id
      WHERE network_id = $1 AND kind = 'gateway'
        AND ${uncovered('routers.project_id', 'access_as_external')} LIMIT 1`,
    [id, projectId, target],
  );
  return rows.length > 0;
}
