/**
 * Takes the subnets of a network into a pool, as if they had been cut from it. Public source:
 * neutron, `onboard_network_subnets` in `db/db_base_plugin_v2.py`.
 */
import { mayActOn } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { overlap } from '@cumulet/common/addresses/ip-address';
import { parseAll } from '../addresses/ip-set.js';
import { NetworkNotFoundError } from '../networks/network.errors.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { allocationsOf } from './subnet-allocation.js';
import type { Subnetpool } from './subnetpool.entity.js';
import * as errors from './subnetpool.errors.js';

export interface OnboardedSubnet {
  readonly id: string;
  readonly cidr: string;
}

/** Nobody makes a subnet there before the transaction ends. @throws NotAuthorizedError */
export async function lockOwnNetwork(tx: RequestContext, id: string): Promise<void> {
  const network = isUuid(id) ? await networks.find(tx, id, visibleNetworks(tx)) : undefined;
  if (!network) throw new NetworkNotFoundError(id);
  if (!mayActOn(tx, network.projectId)) throw new errors.NotAuthorizedError();
  await networks.lock(tx, network.id);
}

/**
 * @param pool locked, as is the network
 * @throws IllegalSubnetPoolUpdateError for addresses that a subnet of the pool has
 */
export async function onboard(
  tx: RequestContext,
  pool: Subnetpool,
  networkId: string,
): Promise<OnboardedSubnet[]> {
  const taken = parseAll((await allocationsOf(tx, pool.id)).map(({ cidr }) => cidr));
  const moved = await preparedRows<OnboardedSubnet>(
    tx.manager,
    `UPDATE subnets
        SET subnetpool_id = $1, revision_number = revision_number + 1,
            updated_at = clock_timestamp()
      WHERE id IN (SELECT id FROM subnets WHERE network_id = $2 AND ip_version = $3
                    ORDER BY created_at, id FOR NO KEY UPDATE)
      RETURNING id, cidr`,
    [pool.id, networkId, pool.ipVersion],
  );
  for (const { id, cidr } of moved) {
    const isTaken = parseAll([cidr]).some((own) => taken.some((other) => overlap(own, other)));
    if (!isTaken) continue;
    throw new errors.IllegalSubnetPoolUpdateError(
      `Onboarding subnet ${id}: ${cidr} conflicts with allocated prefixes in subnet pool ${pool.id}`,
    );
  }
  return moved;
}
