/**
 * The network that a project gets when it asks for any network: with subnets of the default pools,
 * behind a router to the default external network. It is created once, as a whole or not at all.
 * Public source: neutron, `services/auto_allocate/db.py`.
 */
import { Injectable } from '@nestjs/common';
import { inProject, mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { selectRow } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { readNew } from '@cumulet/common/resources/read-body';
import type { Resource } from '@cumulet/common/resources/resource';
import { NetworksService, networks } from '../networks/networks.service.js';
import { networkResource } from '../networks/network.resource.js';
import { isPresent } from '../resource/resource.table.js';
import { routerResource } from '../routers/router.resource.js';
import { routerPorts } from '../routers/router.entity.js';
import { RoutersService } from '../routers/routers.service.js';
import type { Subnetpool } from '../subnetpools/subnetpool.resource.js';
import { subnetpools } from '../subnetpools/subnet-allocation.js';
import { subnetResource } from '../subnets/subnet.resource.js';
import { SubnetsService } from '../subnets/subnets.service.js';
import { AutoAllocatedTopology } from './auto-allocated-topology.entity.js';
import { AutoAllocationFailureError, HTTPNotFoundError } from './auto-allocated-topology.errors.js';

interface Parts {
  readonly externalNetworkId: string;
  readonly pools: readonly Subnetpool[];
}

@Injectable()
export class AutoAllocatedTopologiesService {
  constructor(
    private readonly networks: NetworksService,
    private readonly subnets: SubnetsService,
    private readonly routers: RoutersService,
  ) {}

  /** @returns the project's topology, which is created if there is none */
  async get(ctx: RequestContext, projectId: string): Promise<AutoAllocatedTopology> {
    const own = contextIn(ctx, projectId);
    return (await this.#find(own)) ?? inTransaction(own, (tx) => this.#make(tx));
  }

  /** @throws AutoAllocationFailureError if a topology could not be created */
  async check(ctx: RequestContext, projectId: string): Promise<void> {
    await this.#parts(contextIn(ctx, projectId));
  }

  /**
   * Does nothing if there is no topology; deletes all of it or nothing.
   * @throws NetworkInUseError while other ports are on its network
   */
  remove(ctx: RequestContext, projectId: string): Promise<void> {
    return inTransaction(contextIn(ctx, projectId), async (tx) => {
      const found = await this.#find(tx);
      if (!found) return;
      const { networkId, routerId } = found;
      if (routerId !== null) {
        const interfaces = await routerPorts.select(
          tx,
          [equals('routerId', routerId), equals('kind', 'interface')],
          'ORDER BY port_id',
        );
        for (const { portId } of interfaces)
          await this.routers.removeInterface(tx, routerId, { portId });
        await this.routers.remove(tx, routerId);
      }
      await this.networks.remove(tx, networkId);
    });
  }

  async #make(tx: RequestContext): Promise<AutoAllocatedTopology> {
    const { projectId } = tx;
    await transactionLock(tx.manager, `cumulet:network:topology:${projectId}`);
    const known = await this.#find(tx);
    if (known) return known;
    const { externalNetworkId, pools } = await this.#parts(tx);
    const body = <A extends object>({ singular }: Resource<A>, fields: object): object => ({
      [singular]: { project_id: projectId, name: `auto_allocated_${singular}`, ...fields },
    });
    const [network] = await this.networks.create(
      tx,
      readNew(networkResource, body(networkResource, {})).bodies,
    );
    const gateway = { external_gateway_info: { network_id: externalNetworkId } };
    const [router] = await this.routers.create(
      tx,
      readNew(routerResource, body(routerResource, gateway)).bodies,
    );
    if (!network || !router) throw new Error('nothing was created');
    for (const { id: subnetpool_id, ipVersion: ip_version } of pools) {
      const name = `auto_allocated_subnet_v${ip_version}`;
      const fields = { name, network_id: network.id, ip_version, subnetpool_id };
      const made = await this.subnets.create(
        tx,
        readNew(subnetResource, body(subnetResource, fields)).bodies,
      );
      for (const { id: subnetId } of made)
        await this.routers.addInterface(tx, router.id, { subnetId });
    }
    const row = { projectId, networkId: network.id, routerId: router.id };
    await tx.manager.upsert(AutoAllocatedTopology, row, ['projectId']);
    return row;
  }

  async #parts(ctx: RequestContext): Promise<Parts> {
    const [external] = await networks.select(
      ctx,
      [equals('isDefault', true), equals('isExternal', true), isPresent],
      'ORDER BY created_at, id LIMIT 1',
    );
    if (!external) throw new AutoAllocationFailureError('No default router:external network');
    const pools = await subnetpools.select(ctx, [equals('isDefault', true)], 'ORDER BY ip_version');
    if (pools.length === 0) throw new AutoAllocationFailureError('No default subnetpools defined');
    return { externalNetworkId: external.id, pools };
  }

  /** A topology whose network is being deleted does not count. */
  #find({ manager, projectId }: RequestContext): Promise<AutoAllocatedTopology | undefined> {
    return selectRow(
      manager,
      AutoAllocatedTopology,
      `WHERE project_id = $1 AND EXISTS (
         SELECT FROM networks WHERE id = network_id AND state <> 'removing')`,
      [projectId],
    );
  }
}

/**
 * @param projectId `None`, which Python clients send by default, is the caller's project
 * @throws HTTPNotFoundError for a project other than the caller's
 */
function contextIn(ctx: RequestContext, projectId: string): RequestContext {
  const id = projectId === 'None' ? ctx.projectId : projectId;
  if (!mayActOn(ctx, id)) throw new HTTPNotFoundError();
  return inProject(ctx, id);
}
