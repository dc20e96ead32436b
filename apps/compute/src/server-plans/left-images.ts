/**
 * Images that servers need no more. They stand in a table of their own until the images service has
 * removed them: neither a server's deletion nor what else is done to it waits for that.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import type { Images } from '../images.port.js';
import { dropImage, madeImagesOf } from './drop-image.js';
import type { Snapshot } from '../servers/snapshots/snapshot.js';

const MAX_ROWS = 100;

/** Seconds until an image is tried again that could not be removed. */
const RETRY_AFTER = 30;

/** Writes down those of a snapshot. */
export async function leaveImages(ctx: RequestContext, snapshot: Snapshot): Promise<void> {
  const ids = madeImagesOf(snapshot).map(({ id }) => id);
  await ctx.manager.query(
    `INSERT INTO left_images (image_id, is_shelved)
     SELECT id, $2 FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING`,
    [ids, snapshot.isShelved],
  );
}

/** @throws AggregateError with why some could not be removed */
export async function dropLeftImages(ctx: RequestContext, images: Images): Promise<void> {
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
      // Where the service is away, it is so for the others as well.
      if (error instanceof UnavailableError) break;
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} images could not be removed`);
}
