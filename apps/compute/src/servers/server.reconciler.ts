/**
 * Moves the world towards a server's row: for each transitional state the phases that achieve it.
 * Read top to bottom it is the life of a server, from nudge to settled state.
 */
import type { Readable } from 'node:stream';
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { Inject, Injectable } from '@nestjs/common';
import { equals } from '@cumulet/common/tables/condition';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import {
  phase,
  type Phase,
  type Plan,
  type Reconciler,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Reconciles } from '@cumulet/common/service/background';
import type { ComputeConfig } from '../config.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import type { BootImage } from '../hypervisor/boot-image.js';
import { type Images, IMAGES } from '../images.port.js';
import { Placement } from '../scheduler/placement.js';
import { guestSpecOf } from './guest-spec.js';
import { onHypervisor } from './hypervisor-failure.js';
import type { Server } from './server.entity.js';
import { ServerRepository } from './server.repository.js';
import { serverStates, type ServerEvent, type ServerState } from './server.states.js';
import { taskOfServer, UNPLACED, taskOfHost } from './server.tasks.js';

type ServerPhase = Phase<Server>;
type ServerScope = Scope<Server>;

/** How often to check on a guest that was asked to shut down. */
const SHUTDOWN_POLL_MS = 500;

@Reconciles(({ host, concurrency }: ComputeConfig) => [
  { tasks: [UNPLACED, taskOfHost(host)], concurrency },
])
@Injectable()
export class ServerReconciler implements Reconciler<Server, ServerState, ServerEvent> {
  readonly states = serverStates;
  readonly plans: Partial<Record<ServerState, Plan<Server, ServerEvent>>>;

  constructor(
    private readonly servers: ServerRepository,
    private readonly placement: Placement,
    @Inject(HYPERVISOR) private readonly hypervisor: HypervisorDriver,
    @Inject(IMAGES) private readonly images: Images,
    private readonly seal: Seal,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {
    this.plans = this.#plans();
  }

  taskOf(server: Server): string {
    return taskOfServer(server);
  }

  load(ctx: RequestContext, id: string): Promise<Server | undefined> {
    return this.servers.find(ctx, id);
  }

  #plans(): Partial<Record<ServerState, Plan<Server, ServerEvent>>> {
    const choosePlace = this.#phase('choosePlace', ({ ctx, row }) =>
      this.placement.place(ctx, row),
    );
    const ensureImages = this.#phase('ensureImages', (scope) => this.#ensureImages(scope));
    const ensureDisk = this.#phase('ensureDisk', ({ row }) =>
      this.hypervisor.disks.ensureDisk(this.#guest(row)),
    );
    const ensureGuestRunning = this.#phase('ensureGuestRunning', ({ row }) =>
      this.hypervisor.machines.ensureRunning(this.#guest(row)),
    );
    const recordLaunch = this.#phase('recordLaunch', ({ ctx, row }) =>
      this.servers.setLaunched(ctx, row.id),
    );
    const ensureGuestShutDown = this.#phase('ensureGuestShutDown', (scope) =>
      this.#shutDown(scope),
    );
    const ensureGuestOff = this.#phase('ensureGuestOff', ({ row }) =>
      this.hypervisor.machines.powerOff(row.id),
    );
    const ensureGuestGone = this.#phase('ensureGuestGone', (scope) => this.#destroy(scope));
    const giveRoomBack = this.#phase('giveRoomBack', ({ ctx, row }) =>
      this.servers.clearHost(ctx, row.id),
    );
    const removeRow = this.#phase('removeRow', async ({ ctx, row }) => {
      await this.servers.deleteAll(ctx, [equals('id', row.id)]);
    });
    return {
      // The phase moves the row itself: claiming the host and leaving the state are one step.
      scheduling: { phases: [choosePlace] },
      building: {
        phases: [ensureImages, ensureDisk, ensureGuestRunning, recordLaunch],
        then: 'built',
        release: [ensureGuestGone, giveRoomBack],
      },
      stopping: { phases: [ensureGuestShutDown, ensureGuestOff], then: 'stopped' },
      starting: { phases: [ensureGuestRunning], then: 'started' },
      rebooting: {
        phases: [ensureGuestShutDown, ensureGuestOff, ensureGuestRunning],
        then: 'rebooted',
      },
      'hard-rebooting': { phases: [ensureGuestOff, ensureGuestRunning], then: 'rebooted' },
      deleting: { phases: [ensureGuestGone, removeRow] },
    };
  }

  #phase(
    name: string,
    run: (scope: ServerScope) => Promise<Wait | undefined> | Promise<void>,
  ): ServerPhase {
    const plain = phase(name, run);
    return { name, run: (scope) => onHypervisor(plain.run(scope)) };
  }

  #guest(server: Server): ReturnType<typeof guestSpecOf> {
    return guestSpecOf(server, this.seal);
  }

  async #ensureImages({ ctx, row }: ServerScope): Promise<void> {
    const { image } = row;
    for (const part of [image, image.kernel, image.ramdisk]) {
      if (part) await this.#ensureImage(ctx, part);
    }
  }

  async #ensureImage(ctx: RequestContext, image: BootImage): Promise<void> {
    if (await this.hypervisor.images.hasBaseImage(image)) return;
    await this.hypervisor.images.putBaseImage(image, () => this.#download(ctx, image.id));
  }

  /**
   * As compute itself: the caller could read the image when it asked, and may have no token now. The
   * image may have been deleted, deactivated or found damaged since, which no other try changes.
   */
  async #download(ctx: RequestContext, imageId: string): Promise<Readable> {
    try {
      return await this.images.download(asService(ctx), imageId);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const reason = `Image ${imageId} cannot be downloaded. ${error.message}`;
      throw new HypervisorError('bad-image', reason, error);
    }
  }

  /**
   * Asks the guest to shut down and checks again until it has, or its time is up: the next phase
   * cuts the power of whatever is left.
   */
  async #shutDown({ row }: ServerScope): Promise<Wait | undefined> {
    // Check the time before asking the machine: one that hangs answers nothing, and is cut off too.
    const waited = Date.now() - row.stateSince.getTime();
    if (waited >= this.config.shutdownSeconds * 1000) return undefined;
    if ((await this.hypervisor.machines.state(row.id)) !== 'running') return undefined;
    await this.hypervisor.machines.powerDown(row.id);
    return { waitMs: SHUTDOWN_POLL_MS };
  }

  /** A server that was never placed has nothing on any host. */
  async #destroy({ row }: ServerScope): Promise<void> {
    if (row.host !== null) await this.hypervisor.guests.destroy(row.id);
  }
}
