/**
 * Ports of the service itself, for routers and floating IPs. Other tables say what they belong to;
 * the ports API neither creates nor deletes them.
 */
import { randomUUID } from 'node:crypto';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { oneOf } from '@cumulet/common/tables/condition';
import { networks } from '../networks/networks.service.js';
import { wantedAddresses } from './fixed-ips.js';
import { freeMac, lockSubnets, requireSubnets, allocateAddresses } from './port-addresses.js';
import type { Port } from './port.entity.js';
import { ports } from './port.repository.js';
import type { AskedFixedIp } from './port.resource.js';
import { portStates } from './port.states.js';

export interface ServicePort {
  /** Empty to hide the port from all projects. */
  readonly projectId: string;
  readonly networkId: string;
  readonly deviceId: string;
  readonly deviceOwner: string;
  /** Undefined for one address of each IP version. */
  readonly fixedIps: readonly AskedFixedIp[] | undefined;
}

/** Locks networks whose addresses the transaction allocates or releases, in a fixed order. */
export async function lockNetworks(
  tx: RequestContext,
  networkIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(networkIds)].sort();
  await networks.select(tx, [oneOf('id', ids)], 'ORDER BY id FOR SHARE');
  for (const id of ids) await lockSubnets(tx, id);
}

/**
 * @throws SubnetNotFoundError, as `requireSubnets`
 * @throws IpAddressInUseError for an address of another port of the network
 * @throws IpAddressGenerationFailureError if none is free
 */
export async function makeServicePort(tx: RequestContext, asked: ServicePort): Promise<Port> {
  const { networkId, deviceId, deviceOwner, fixedIps } = asked;
  await lockNetworks(tx, [networkId]);
  const all = await lockSubnets(tx, networkId);
  await requireSubnets(tx, all, fixedIps);
  const port = await ports.insert(tx, {
    id: randomUUID(),
    networkId,
    deviceId,
    deviceOwner,
    projectId: asked.projectId as ProjectId,
    macAddress: await freeMac(tx, networkId),
    // Port security is for guests only.
    portSecurityEnabled: false,
    ...initialState(portStates),
  });
  await allocateAddresses(tx, port, wantedAddresses(port, all, fixedIps));
  await nudge(tx, { task: 'port', resource: 'port', id: port.id });
  return ports.get(tx, port.id);
}
