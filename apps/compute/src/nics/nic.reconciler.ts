/** Reconciles a NIC of an existing server, whose own plans start and end its NICs with it. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import {
  phase,
  type Phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles, SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import type { ComputeConfig } from '../config.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import { guestHardwareOf } from '../servers/hardware/hardware-properties.js';
import { onHypervisor, ServerNotFoundError } from '../servers/server.errors.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import { guestNicOf } from './network-data.js';
import type { Nic } from './nic.entity.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import {
  nicStates,
  type NicEvent,
  type NicState,
  nicTaskOfHost,
  NIC_TASK,
  taskOfNic,
} from './nic.states.js';

type NicScope = Scope<Nic>;

const CONCURRENCY = 4;
const PLUGGED_POLL_MS = 250;
/** Shows changes whose event was lost, after this time. */
const LOOK_AFTER_MS = 10 * 60_000;
const LOOK_EVERY_MS = 60_000;
const MAX_LOOKS = 100;

@Reconciles(({ host }: ComputeConfig) => [
  { tasks: [NIC_TASK, nicTaskOfHost(host)], concurrency: CONCURRENCY },
])
@Injectable()
export class NicReconciler implements Reconciler<Nic, NicState, NicEvent> {
  readonly states = nicStates;
  readonly plans: Partial<Record<NicState, Plan<Nic, NicEvent>>>;

  constructor(
    private readonly nics: NicRepository,
    private readonly servers: ServerRepository,
    private readonly ports: NicPortsService,
    @Inject(HYPERVISOR) private readonly hypervisor: HypervisorDriver,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {
    const releasePhases = [
      this.#phase('unplugAtLast', (scope) => this.#unplugAtLast(scope)),
      this.#phase('releasePort', (scope) => this.#release(scope)),
      this.#phase('removeRow', ({ ctx, row }) => this.nics.remove(ctx, row)),
    ];
    this.plans = {
      attaching: {
        phases: [
          this.#phase('ensurePort', (scope) => this.#ensurePort(scope)),
          this.#phase('ensureBound', (scope) => this.#ensureBound(scope)),
          this.#phase('plug', (scope) => this.#plug(scope)),
        ],
        then: 'plugged',
      },
      refreshing: { phases: [this.#phase('refresh', (scope) => this.#refresh(scope))] },
      detaching: {
        phases: [this.#phase('unplug', (scope) => this.#unplug(scope))],
        then: 'unplugged',
        goesOn: true,
      },
      // Never given up: an unused port would keep its address.
      releasing: { phases: releasePhases },
    };
  }

  taskOf(nic: Nic): string {
    return taskOfNic(nic);
  }

  load(ctx: RequestContext, id: string): Promise<Nic | undefined> {
    return this.nics.find(ctx, id);
  }

  /** A NIC that could not be attached is released at once. */
  async ended(tx: RequestContext, id: string, event: NicEvent): Promise<void> {
    const nic = event === 'fail' ? await this.nics.find(tx, id) : undefined;
    if (nic) await nudgeAll(tx, [{ task: taskOfNic(nic), resource: nicStates.resource, id }]);
  }

  /** Looks at ports without a recent event. */
  @SweepEvery(LOOK_EVERY_MS, 'unseen-ports')
  async lookAgain(ctx: RequestContext): Promise<void> {
    const since = new Date(Date.now() - LOOK_AFTER_MS);
    for (const nic of await this.nics.unseenSince(ctx, since, MAX_LOOKS)) await this.look(ctx, nic);
  }

  /** Has a NIC's port looked at after an event. */
  async look(ctx: RequestContext, { id }: Pick<Nic, 'id'>): Promise<void> {
    try {
      await inTransaction(ctx, async (tx) => {
        await transition(tx, nicStates, id, 'look');
        await nudgeAll(tx, [{ task: NIC_TASK, resource: nicStates.resource, id }]);
      });
    } catch (error) {
      // Attaching and detaching look at the port by themselves.
      if (!(error instanceof SupersededError)) throw error;
    }
  }

  #phase(
    name: string,
    run: (scope: NicScope) => Promise<Wait | undefined> | Promise<void>,
  ): Phase<Nic> {
    const plain = phase(name, run);
    return { name, run: (scope) => onHypervisor(plain.run(scope)) };
  }

  async #ensurePort({ ctx, row }: NicScope): Promise<void> {
    await this.ports.ensurePort(ctx, await this.#server(ctx, row), row);
  }

  async #ensureBound({ ctx, row }: NicScope): Promise<Wait | undefined> {
    const server = await this.#server(ctx, row);
    const nic = await this.nics.get(ctx, row.id);
    const { host } = this.config;
    const uid = await this.hypervisor.nics.deviceUser(server.id);
    const bound = await this.ports.ensureBound(ctx, server, nic, { host, uid });
    return bound ? undefined : { waitMs: PLUGGED_POLL_MS };
  }

  async #plug({ ctx, row }: NicScope): Promise<void> {
    const nic = await this.nics.get(ctx, row.id);
    const { image, flavor, vcpus } = await this.#server(ctx, row);
    const hardware = guestHardwareOf(image.properties ?? {}, flavor.extraSpecs ?? {}, vcpus);
    const guestNic = { ...guestNicOf(nic), model: hardware.nicModel };
    await this.hypervisor.nics.plugNic(nic.serverId, guestNic);
  }

  async #unplug({ row }: NicScope): Promise<void> {
    if (row.host === this.config.host) await this.hypervisor.nics.unplugNic(row.serverId, row.id);
  }

  /** A guest that does not release it keeps a NIC without a cable until its next start. */
  async #unplugAtLast({ row }: NicScope): Promise<void> {
    if (row.host !== this.config.host) return;
    await this.hypervisor.nics.unplugNic(row.serverId, row.id).catch(() => undefined);
  }

  async #release({ ctx, row }: NicScope): Promise<void> {
    const nic = await this.nics.get(ctx, row.id);
    await this.ports.release(ctx, await this.#server(ctx, row), nic);
  }

  /** Ends the row's state itself, as the outcome decides the next one. */
  async #refresh({ ctx, row }: NicScope): Promise<void> {
    const isThere = await this.ports.refresh(ctx, row);
    const only = { generation: row.generation };
    await inTransaction(ctx, async (tx) => {
      await transition(tx, nicStates, row.id, isThere ? 'seen' : 'port-gone', { only });
      if (isThere) return;
      await this.nics.showOn(tx, row.serverId);
      const task = taskOfNic({ state: 'releasing', host: row.host });
      await nudgeAll(tx, [{ task, resource: nicStates.resource, id: row.id }]);
    });
  }

  async #server(ctx: RequestContext, { serverId }: Nic): Promise<Server> {
    const server = await this.servers.find(ctx, serverId);
    if (!server) throw new ServerNotFoundError(serverId);
    return server;
  }
}
