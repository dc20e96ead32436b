/**
 * Removes images that servers no longer need: of unshelved and moved servers, incomplete ones of
 * servers that were moved on by an administrator or a sweep, and those that the images service
 * failed to remove.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Entity } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, id, orNull } from '@cumulet/common/resources/field-type';
import { SweepEvery } from '@cumulet/common/service/background';
import { amend, SupersededError } from '@cumulet/common/states/transition';
import { oneOf } from '@cumulet/common/tables/condition';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { asService } from '@cumulet/clients/http/actor';
import { instant } from '../http/times.js';
import { type Images, IMAGES } from '../images.port.js';
import { ServerRepository } from '../servers/server.repository.js';
import { serverStates, type ServerState } from '../servers/server.states.js';
import { type Snapshot, imagesIn } from '../servers/snapshots/snapshot.js';

const MAX_ROWS = 100;

/** States of a server that needs no image of its own. */
const AS_BEFORE: readonly ServerState[] = [
  'active',
  'stopped',
  'paused',
  'suspended',
  'error',
  'resized',
];

@Injectable()
export class LeftoverSnapshotsSweep {
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
        await recordLeftoverImages(tx, snapshot);
      }).catch((error: unknown) => {
        if (!(error instanceof SupersededError)) throw error;
      });
    }
    await dropLeftoverImages(ctx, this.images);
  }
}

/** Seconds between attempts to remove an image. */
const RETRY_AFTER = 30;

export async function recordLeftoverImages(ctx: RequestContext, snapshot: Snapshot): Promise<void> {
  const ids = madeImagesOf(snapshot).map(({ id }) => id);
  await ctx.manager.query(
    `INSERT INTO left_images (image_id, is_shelved)
     SELECT id, $2 FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING`,
    [ids, snapshot.isShelved],
  );
}

/** @throws AggregateError with the reasons that some could not be removed */
async function dropLeftoverImages(ctx: RequestContext, images: Images): Promise<void> {
  const rows: { id: string; isShelved: boolean }[] = await ctx.manager.query(
    `SELECT image_id AS id, is_shelved AS "isShelved" FROM left_images
      WHERE tried_at IS NULL OR tried_at < now() - $1::double precision * interval '1 second'
      ORDER BY tried_at NULLS FIRST LIMIT ${MAX_ROWS}`,
    [RETRY_AFTER],
  );
  const failures: unknown[] = [];
  for (const { id, isShelved } of rows) {
    try {
      await dropImage(ctx, images, { id, isShelved });
      await ctx.manager.query('DELETE FROM left_images WHERE image_id = $1', [id]);
    } catch (error) {
      failures.push(error);
      await ctx.manager.query('UPDATE left_images SET tried_at = now() WHERE image_id = $1', [id]);
      // The service is down for the others as well.
      if (error instanceof UnavailableError) break;
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} images could not be removed`);
}

/** An image, and whether to remove it even if it is complete. */
interface MadeImage {
  readonly id: string;
  readonly isShelved: boolean;
}

/** Removes the images of a snapshot that are not to stay. */
export async function dropImagesOf(
  ctx: RequestContext,
  images: Images,
  snapshot: Snapshot,
): Promise<void> {
  for (const made of madeImagesOf(snapshot)) await dropImage(ctx, images, made);
}

function madeImagesOf(snapshot: Snapshot): MadeImage[] {
  const { isShelved } = snapshot;
  return imagesIn(snapshot).map(({ image: { id } }) => ({ id, isShelved }));
}

/** Removes an incomplete image, or a shelved server's; any other is its owner's. */
export async function dropImage(
  ctx: RequestContext,
  images: Images,
  { id, isShelved }: MadeImage,
): Promise<void> {
  const found = await images.find(asService(ctx), id);
  if (found && (isShelved || found.status !== 'active')) await images.delete(asService(ctx), id);
}

/** Stands until the images service has removed the image, so that no other work waits for that. */
@Entity('left_images')
export class LeftoverImage extends rowOf({
  imageId: internal(id(), { primary: true, primaryKeyConstraintName: 'left_images_pkey' }),
  /** Whether it is removed even if it is complete. */
  isShelved: internal(flag()),
  /** The last failed attempt. */
  triedAt: internal(orNull(instant)),
}) {}
