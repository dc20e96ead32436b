/** Reconciles a server with its row, by the plans in this folder. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import type { Reconciler } from '@cumulet/common/reconcile/reconciler';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Reconciles } from '@cumulet/common/service/background';
import type { ComputeConfig } from '../config.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import { type Images, IMAGES } from '../images.port.js';
import { ServerNicsService } from '../nics/server-nics.service.js';
import { Placement } from '../scheduler/placement.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import {
  serverStates,
  type ServerEvent,
  type ServerState,
  TRANSITIONAL_STATES,
} from '../servers/server.states.js';
import { nudgeServer, taskOfServer, UNPLACED, taskOfHost } from '../servers/server.tasks.js';
import { LeftoverImage, LeftoverSnapshotsSweep } from './leftover-images.sweep.js';
import { ServerResize } from './server-resizes.js';
import { lifePlans, pausePlans, powerPlans } from './life.plans.js';
import { rebuildPlans } from './rebuild.plans.js';
import { resizePlans } from './resize.plans.js';
import { shelvePlans, snapshotPlans } from './snapshot.plans.js';
import { ServerPhases, type ServerPlans } from './server-phases.js';
import { ServerResizes } from './server-resizes.js';
import { SnapshotPhases } from './snapshot-phases.js';

@Reconciles(({ host, concurrency }: ComputeConfig) => [
  { tasks: [UNPLACED, taskOfHost(host)], concurrency },
])
@Injectable()
export class ServerReconciler implements Reconciler<Server, ServerState, ServerEvent> {
  readonly states = serverStates;
  readonly plans: ServerPlans;

  constructor(
    private readonly servers: ServerRepository,
    placement: Placement,
    @Inject(HYPERVISOR) hypervisor: HypervisorDriver,
    @Inject(IMAGES) images: Images,
    nics: ServerNicsService,
    seal: Seal,
    @Inject(CONFIG) config: ComputeConfig,
  ) {
    const tools = {
      servers,
      resizes: new ServerResizes(),
      placement,
      hypervisor,
      images,
      nics,
      seal,
      config,
    };
    const [phases, snapshots] = [new ServerPhases(tools), new SnapshotPhases(tools)];
    this.plans = {
      ...lifePlans(phases, snapshots),
      ...powerPlans(phases),
      ...pausePlans(phases),
      ...resizePlans(phases, snapshots),
      ...snapshotPlans(snapshots),
      ...shelvePlans(phases, snapshots, config.shelvedOffloadSeconds === 0),
      ...rebuildPlans(phases),
    };
  }

  taskOf(server: Server): string {
    return taskOfServer(server);
  }

  load(ctx: RequestContext, id: string): Promise<Server | undefined> {
    return this.servers.find(ctx, id);
  }

  /** A failure may lead to a state that undoes what was begun. */
  async ended(tx: RequestContext, id: string, event: ServerEvent): Promise<void> {
    if (!TRANSITIONAL_STATES.includes(serverStates.events[event].to)) return;
    const server = await this.servers.find(tx, id);
    if (server) await nudgeServer(tx, server);
  }
}

@Feature({
  providers: [LeftoverSnapshotsSweep, ServerReconciler, ServerResizes],
  entities: [LeftoverImage, ServerResize],
})
export class ServerPlansModule {}
