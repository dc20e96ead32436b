/**
 * Removes the images that servers need no more: of those that were unshelved or moved, what is not
 * whole of snapshots whose server an administrator or the sweeper has moved on, and what the images
 * service could not remove when it was asked to.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { amend, SupersededError } from '@cumulet/common/states/transition';
import { oneOf } from '@cumulet/common/tables/condition';
import { type Images, IMAGES } from '../images.port.js';
import { ServerRepository } from '../servers/server.repository.js';
import { serverStates, type ServerState } from '../servers/server.states.js';
import { dropLeftImages, leaveImages } from './left-images.js';

const MAX_ROWS = 100;

/** In which a server has no use for an image of its own. */
const AS_BEFORE: readonly ServerState[] = [
  'active',
  'stopped',
  'paused',
  'suspended',
  'error',
  'resized',
];

@Injectable()
export class LeftSnapshotsSweep {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(IMAGES) private readonly images: Images,
  ) {}

  @SweepEvery(5_000, 'left-snapshots')
  async run(ctx: RequestContext): Promise<void> {
    const left = [() => 'snapshot IS NOT NULL', oneOf('state', AS_BEFORE)];
    for (const { id, generation, snapshot } of await this.servers.select(
      ctx,
      left,
      `LIMIT ${MAX_ROWS}`,
    )) {
      if (snapshot === null) continue;
      await inTransaction(ctx, async (tx) => {
        await amend(tx, serverStates, id, { only: { generation }, set: { snapshot: null } });
        await leaveImages(tx, snapshot);
      }).catch((error: unknown) => {
        if (!(error instanceof SupersededError)) throw error;
      });
    }
    await dropLeftImages(ctx, this.images);
  }
}
