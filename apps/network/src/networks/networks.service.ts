import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { preparedRows, rowsOf } from '@cumulet/common/database/rows';
import { nudge } from '@cumulet/common/jobs/nudge';
import { CONFIG } from '@cumulet/common/service/tokens';
import { initialState } from '@cumulet/common/states/transition';
import type { Condition } from '@cumulet/common/tables/condition';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import type { NetworkConfig } from '../config.js';
import { refuseUnknownZones } from '../availability-zones/zones.js';
import { changePolicy, defaultPolicy, usePolicy } from '../qos/qos-binding.js';
import { shareWithAll, removePolicies } from '../rbac-policies/sharing.js';
import { apply } from '../resource/applied.states.js';
import { ResourceService } from '../resource/resource.service.js';
import { applyRouters, lockRoutersOn } from '../router-locks/router-locks.js';
import { accessibleBy, makeInternal, unshare } from './network-access.js';
import { networkUsers } from './network-users.js';
import { Network } from './network.entity.js';
import * as errors from './network.errors.js';
import { networkResource } from './network.resource.js';
import type {
  NetworkAttributes,
  NetworkChange,
  NetworkType,
  NewNetwork,
} from './network.resource.js';
import { networkStates } from './network.states.js';
import { NetworkMTUSubnetConflictError } from './network.errors.js';
import { isPresent, resourceTable } from '../resource/resource.table.js';

export const networks = resourceTable(Network, errors.NetworkNotFoundError, {
  networks_segment_key: ({ networkType, physicalNetwork, segmentationId }) => {
    if (networkType === 'flat') return new errors.FlatNetworkInUseError(physicalNetwork ?? '');
    const number = segmentationId ?? 0;
    return networkType === 'vlan'
      ? new errors.VlanIdInUseError(number, physicalNetwork ?? '')
      : new errors.TunnelIdInUseError(number);
  },
});

/** The networks that the caller owns or has access to. */
export function visibleNetworks(ctx: RequestContext): Condition[] {
  if (actsAcrossProjects(ctx)) return [isPresent];
  return [isPresent, accessibleBy(ctx.projectId)];
}

/** The reconciler applies the network and its subnets as they are when it runs. */
export async function reapply(tx: RequestContext, networkId: string): Promise<void> {
  await apply(tx, networkStates, networkId);
}

@Injectable()
export class NetworksService extends ResourceService<Network, NetworkAttributes> {
  protected readonly resource = networkResource;
  protected readonly table = networks;

  constructor(@Inject(CONFIG) private readonly config: NetworkConfig) {
    super();
  }

  protected override visible(ctx: RequestContext): Condition[] {
    return visibleNetworks(ctx);
  }

  protected override async make(tx: RequestContext, body: NewNetwork): Promise<Network> {
    if (body.isDefault && body.isExternal) await refuseSecondDefault(tx);
    await refuseUnknownZones(tx, body.availabilityZoneHints);
    const segment = segmentOf(body, this.config.physicalNetworks.split(','));
    const id = randomUUID();
    const qosPolicyId = body.qosPolicyId ?? (await defaultPolicy(tx));
    if (qosPolicyId !== null) await usePolicy(tx, qosPolicyId, { kind: 'network', id });
    const network = await networks.insert(tx, {
      ...this.columnsOf(body),
      id,
      qosPolicyId,
      projectId: tx.projectId,
      mtu: this.mtuOf(body, segment),
      ...segment,
      segmentationId:
        segment.segmentationId === undefined ? await freeTunnel(tx) : segment.segmentationId,
      ...initialState(networkStates),
    });
    if (network.shared) await shareWithAll(tx, 'network', network);
    if (network.isExternal) await shareWithAll(tx, 'network', network, 'access_as_external');
    await nudge(tx, { task: 'network', resource: 'network', id: network.id });
    return network;
  }

  protected override async change(
    tx: RequestContext,
    network: Network,
    body: NetworkChange,
  ): Promise<Network> {
    const mtu = body.mtu === undefined ? network.mtu : this.mtuOf(body, network);
    if (mtu < network.mtu)
      refuseSmallMtu({ id: network.id, mtu }, await versionsOn(tx, network.id));
    await this.changeAccess(tx, network, body);
    const { id, qosPolicyId: before } = network;
    const { qosPolicyId: policy = before } = body;
    if (body.qosPolicyId !== undefined)
      await changePolicy(tx, before, policy, { kind: 'network', id });
    const { isDefault = network.isDefault } = body;
    const { isExternal = network.isExternal } = body;
    if (isDefault && isExternal) await refuseSecondDefault(tx, network.id);
    await this.save(tx, network, { ...this.columnsOf(body), mtu });
    await reapply(tx, network.id);
    if (mtu !== network.mtu) await applyRouters(tx, await lockRoutersOn(tx, network.id));
    if (policy !== before) for (const user of networkUsers) await user.policyChanged?.(tx, id);
    return networks.get(tx, network.id);
  }

  /** Changes the policies for everyone; those for single projects stay. */
  private async changeAccess(
    tx: RequestContext,
    network: Network,
    { shared, isExternal }: NetworkChange,
  ): Promise<void> {
    if (!network.shared && shared === true) await shareWithAll(tx, 'network', network);
    if (network.shared && shared === false) await unshare(tx, network);
    if (!network.isExternal && isExternal === true)
      await shareWithAll(tx, 'network', network, 'access_as_external');
    if (network.isExternal && isExternal === false) await makeInternal(tx, network);
  }

  /** Routers are locked before networks, as by everyone who changes a router. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<Network, NetworkAttributes>['lockOwn']>
  ): Promise<Network> {
    const seen = await this.get(tx, id);
    await lockRoutersOn(tx, seen.id);
    return super.lockOwn(tx, id, ...rest);
  }

  /** Deletes its subnets too, and unassociated floating IPs. */
  protected override async erase(tx: RequestContext, { id }: Network): Promise<void> {
    for (const user of networkUsers) await user.closed?.(tx, id);
    for (const user of networkUsers) await user.removed?.(tx, id);
    for (const user of networkUsers) await user.refuseRemoval?.(tx, id);
    await removePolicies(tx, id);
    await tx.manager.query('DELETE FROM subnets WHERE network_id = $1', [id]);
    await apply(tx, networkStates, id, 'remove');
  }

  /** 0 selects the default, which is as much as a tunnel carries. */
  private mtuOf(
    { mtu = 0 }: Pick<NetworkChange, 'mtu'>,
    { networkType }: Pick<Network, 'networkType'>,
  ): number {
    const { mtu: longest } = this.config;
    if (networkType === 'geneve' && mtu > longest)
      throw new InvalidInputError(`Requested MTU is too big, maximum is ${longest}`);
    return mtu === 0 ? longest : mtu;
  }
}

/** Skips numbers that administrators chose. */
async function freeTunnel(tx: RequestContext): Promise<number> {
  const [row] = await rowsOf<{ tunnel: number }>(tx.manager, {
    text: `WITH RECURSIVE next AS (
             SELECT nextval('network_tunnels')::integer AS tunnel
              UNION ALL
             SELECT nextval('network_tunnels')::integer FROM next
              WHERE EXISTS (SELECT FROM networks
                             WHERE network_type = 'geneve' AND segmentation_id = next.tunnel))
           SELECT tunnel FROM next
            WHERE NOT EXISTS (SELECT FROM networks
                               WHERE network_type = 'geneve' AND segmentation_id = next.tunnel)`,
  });
  if (!row) throw new errors.TunnelIdInUseError(0);
  return row.tunnel;
}

/** Serialises concurrent requests by a lock. @param own the network that may be the default */
async function refuseSecondDefault(tx: RequestContext, own?: string): Promise<void> {
  await transactionLock(tx.manager, 'cumulet:network:default-external-network');
  const found = await rowsOf<{ id: string }>(tx.manager, {
    text: "SELECT id FROM networks WHERE is_default AND is_external AND state <> 'removing'",
  });
  const other = found.find(({ id }) => id !== own);
  if (other) throw new errors.DefaultExternalNetworkExistsError(other.id);
}

/** The IP versions of its subnets. */
async function versionsOn(tx: RequestContext, networkId: string): Promise<(4 | 6)[]> {
  const rows = await preparedRows<{ version: 4 | 6 }>(
    tx.manager,
    'SELECT DISTINCT ip_version AS version FROM subnets WHERE network_id = $1',
    [networkId],
  );
  return rows.map(({ version }) => version);
}

type Segment = Pick<Network, 'networkType' | 'physicalNetwork'> & {
  /** Undefined for the next free tunnel ID. */
  readonly segmentationId: number | null | undefined;
};

const MAX_VLAN = 4094;

/**
 * The segment that the administrator requested, or else a tunnel. Public source: neutron,
 * `plugins/ml2/drivers/type_{flat,vlan,geneve,local}.py`.
 * @param known the configured physical networks
 * @throws InvalidInputError for attributes that do not go together
 */
function segmentOf(body: NewNetwork, known: readonly string[]): Segment {
  const physicalNetwork = body.physicalNetwork ?? null;
  const segmentationId = body.segmentationId ?? undefined;
  const networkType = body.networkType;
  if (networkType === undefined) {
    if (physicalNetwork !== null || segmentationId !== undefined)
      throw new InvalidInputError('network_type required');
    return { networkType: 'geneve', physicalNetwork: null, segmentationId: undefined };
  }
  const isPhysical = networkType === 'flat' || networkType === 'vlan';
  if (isPhysical && physicalNetwork === null)
    throw new InvalidInputError(`physical_network required for ${networkType} provider network`);
  if (!isPhysical && physicalNetwork !== null) throw prohibited('physical_network', networkType);
  if (physicalNetwork !== null && !known.includes(physicalNetwork)) {
    throw new InvalidInputError(
      `physical_network '${physicalNetwork}' unknown for ${networkType} provider network`,
    );
  }
  return { networkType, physicalNetwork, segmentationId: numberOf(networkType, segmentationId) };
}

function numberOf(type: NetworkType, given: number | undefined): number | null | undefined {
  switch (type) {
    case 'flat':
    case 'local':
      if (given !== undefined) throw prohibited('segmentation_id', type);
      return null;
    case 'vlan':
      if (given === undefined || given < 1 || given > MAX_VLAN) {
        throw new InvalidInputError(
          `segmentation_id '${given ?? 'None'}' is not one of 1 to ${MAX_VLAN}, as a vlan provider network requires`,
        );
      }
      return given;
    case 'geneve':
      if (given === 0) throw new InvalidInputError("segmentation_id '0' is not a valid tunnel ID");
      return given;
  }
}

function prohibited(attribute: string, type: NetworkType): InvalidInputError {
  return new InvalidInputError(`${attribute} prohibited for ${type} provider network`);
}

/** Bytes of a packet that every link must carry. Public source: RFC 791; RFC 8200. */
const MIN_MTU = { 4: 68, 6: 1280 } as const;

/** @param versions the IP versions of its present and new subnets */
export function refuseSmallMtu(
  { id, mtu }: Pick<Network, 'id' | 'mtu'>,
  versions: readonly (4 | 6)[],
): void {
  const minimum = Math.max(0, ...versions.map((version) => MIN_MTU[version]));
  if (mtu < minimum) throw new NetworkMTUSubnetConflictError(id, minimum);
}
