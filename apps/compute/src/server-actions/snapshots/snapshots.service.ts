/** Requests for snapshots; the reconciler does the rest (snapshot-phases.ts). */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { conflict } from '@cumulet/common/errors/domain-error';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { type Images, IMAGES } from '../../images.port.js';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { type Destination, RequestedDestination } from '../../scheduler/destination.js';
import type { Server } from '../../servers/server.entity.js';
import type { ServerEvent, ServerState } from '../../servers/server.states.js';
import { moveUnlessSuperseded, ServersService } from '../../servers/servers.service.js';
import { dropImagesOf } from '../../server-plans/leftover-images.sweep.js';
import { snapshotOf, type SnapshotRequest } from '../../servers/snapshots/snapshot.js';
import type { ComputeConfig } from '../../config.js';
import { ServerRepository } from '../../servers/server.repository.js';

type EventsByState = Partial<Record<ServerState, ServerEvent>>;

/** Each state that a snapshot returns to has a snapshotting state of its own. */
export const SNAPSHOT_EVENTS = {
  active: 'snapshot',
  stopped: 'snapshot-stopped',
  paused: 'snapshot-paused',
  suspended: 'snapshot-suspended',
} as const satisfies EventsByState;

export const SHELVE_EVENTS = {
  active: 'shelve',
  paused: 'shelve',
  stopped: 'shelve-stopped',
  suspended: 'shelve-suspended',
} as const satisfies EventsByState;

/** The requested place of an unshelved server. */
type UnshelveRequest = Pick<Destination, 'availability_zone' | 'host'>;

class UnshelveElsewhereError extends conflict(
  (id: string) =>
    `Specifying an availability zone or a host when unshelving server ${id} needs vm_state shelved_offloaded; it is shelved.`,
) {}

@Injectable()
export class SnapshotsService {
  constructor(
    private readonly servers: ServersService,
    private readonly quotas: ComputeQuotas,
    @Inject(IMAGES) private readonly images: Images,
    private readonly destinations: RequestedDestination,
  ) {}

  /**
   * Begins a snapshot. The image is created at once, so that the answer has its ID; if the request
   * dies before, the reconciler creates it.
   * @param action for messages and the server's history
   * @returns the image's ID
   * @throws ServiceRefusedError if the images service refuses the image; the server is unchanged
   */
  async take(
    ctx: RequestContext,
    server: Server,
    action: 'createImage' | 'createBackup',
    request: SnapshotRequest,
  ): Promise<string> {
    const { image } = await this.#begin(ctx, server, SNAPSHOT_EVENTS, action, request);
    await this.images.create(asService(ctx), image);
    return image.id;
  }

  /** The server is stored as an image. */
  async shelve(ctx: RequestContext, server: Server): Promise<void> {
    const request = { name: `${server.name}-shelved`, isShelved: true };
    await this.#begin(ctx, server, SHELVE_EVENTS, 'shelve', request);
  }

  /**
   * Restores a shelved server: on its host if that still has it, else at the requested place.
   * @throws InvalidInputError or ForbiddenError for a zone or host, as for a new server
   * @throws UnshelveElsewhereError if it need not be placed
   */
  async unshelve(ctx: RequestContext, server: Server, asked: UnshelveRequest): Promise<void> {
    if (server.state === 'shelved') {
      if (Object.keys(asked).length > 0) throw new UnshelveElsewhereError(server.id);
      await this.servers.change(ctx, server, 'unshelve-here', 'unshelve');
      return;
    }
    const { zone, hints } = server.scheduling;
    const found = await this.destinations.of(ctx, asked);
    const kept = asked.availability_zone === undefined && zone !== undefined ? { zone } : {};
    const scheduling = { ...(hints === undefined ? {} : { hints }), ...kept, ...found };
    const image = server.snapshot?.bootImage ?? server.image;
    const set = { image, scheduling, triedHosts: [] };
    await this.servers.change(ctx, server, 'unshelve', 'unshelve', { set });
  }

  async #begin(
    ctx: RequestContext,
    server: Server,
    events: EventsByState,
    action: string,
    request: SnapshotRequest,
  ): Promise<ReturnType<typeof snapshotOf>> {
    if (server.snapshot !== null) await dropImagesOf(ctx, this.images, server.snapshot);
    const base = await this.images.find(asService(ctx), server.imageId);
    const snapshot = snapshotOf(ctx, server, base, request);
    // For a state that does not allow it, any event produces the error.
    const event = events[server.state] ?? 'snapshot';
    await inTransaction(ctx, async (tx) => {
      const { metadata = {} } = request;
      await this.quotas.claim(tx, { metadata_items: Object.keys(metadata).length });
      await this.servers.change(tx, server, event, action, { set: { snapshot } });
    });
    return snapshot;
  }
}

/** Frees the hosts of servers that have been shelved for a while. */
const MAX_ROWS = 100;

@Injectable()
export class ShelvedServersSweep {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @SweepEvery(30_000, 'shelved-servers')
  async run(ctx: RequestContext): Promise<void> {
    const seconds = this.config.shelvedOffloadSeconds;
    if (seconds < 0) return;
    for (const server of await this.servers.inStateFor(ctx, 'shelved', seconds, MAX_ROWS))
      await moveUnlessSuperseded(ctx, server, 'shelve-offload', 'shelveOffload');
  }
}
