/** Security groups of ports. Public source: neutron, `db/securitygroups_db.py`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { oneOf } from '@cumulet/common/tables/condition';
import { defaultGroup, securityGroups } from '../security-groups/default-group.js';
import type { SecurityGroup } from '../security-groups/security-group.resource.js';
import * as errors from '../security-groups/security-group.errors.js';
import { visibleGroups } from '../security-groups/security-groups.service.js';
import type { Port } from './port.entity.js';
import { ports } from './port.repository.js';

type GroupedPort = Pick<Port, 'deviceOwner' | 'portSecurityEnabled'>;

/**
 * @param asked the groups in the request; undefined for the default group
 * @throws PortSecurityPortHasSecurityGroupError if the port has no port security
 */
export async function groupsOf(
  tx: RequestContext,
  port: GroupedPort,
  asked: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (asked === undefined) {
    // Ports of the network service itself have no groups.
    const isOwn = port.deviceOwner.startsWith('network:');
    return port.portSecurityEnabled && !isOwn ? [await defaultGroup(tx)] : [];
  }
  if (asked.length > 0 && !port.portSecurityEnabled)
    throw new errors.PortSecurityPortHasSecurityGroupError();
  return asked.map((id) => id.toLowerCase());
}

/**
 * Replaces the groups of a port and locks them against deletion.
 * @throws SecurityGroupNotFoundError for one that the caller may not use
 * @throws SecurityGroupConflictError for both stateful and stateless groups
 */
export async function joinGroups(
  tx: RequestContext,
  portId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await lockGroups(tx, ids);
  const missing = ids.find((id) => !found.some((group) => group.id === id));
  if (missing !== undefined) throw new errors.SecurityGroupNotFoundError(missing);
  if (new Set(found.map(({ stateful }) => stateful)).size > 1) {
    throw new errors.SecurityGroupConflictError(
      'Cannot apply both stateful and stateless security groups on the same port at the same time',
    );
  }
  await ports.setGroups(tx, portId, ids);
}

/** Checked under the lock, since policies change only under it. */
async function lockGroups(tx: RequestContext, ids: readonly string[]): Promise<SecurityGroup[]> {
  const visible = [oneOf('id', ids), ...visibleGroups(tx)];
  const found = await securityGroups.select(tx, visible, 'ORDER BY id FOR KEY SHARE');
  const isOwn = found.every(({ projectId }) => projectId === tx.projectId);
  return isOwn ? found : securityGroups.select(tx, visible);
}
