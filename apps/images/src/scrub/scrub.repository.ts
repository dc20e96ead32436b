/** All SQL of the integrity scrub in the table `images`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { transition } from '@cumulet/common/states/transition';
import type { DataId, ImageId } from '../images/image.entity.js';
import { imageStates, type ImageState } from '../images/image.states.js';

/** An image whose stored bytes are to be compared with what its row says of them. */
export interface ScrubbedImage {
  readonly id: ImageId;
  readonly dataId: DataId;
  readonly size: number;
  readonly md5: string;
  readonly sha512: string;
  readonly isKilled: boolean;
}

/**
 * Stored data of an image never changes, but its image may be deleted at any time. What was damaged
 * may be whole again, as after a repair of the store.
 */
const STORED = `state IN ('active', 'deactivated', 'killed')`;

/** With the seconds between two looks as the first parameter. */
const DUE = `${STORED}
  AND COALESCE(scrubbed_at, created_at) <= now() - $1::double precision * interval '1 second'`;

export class ScrubRepository {
  /**
   * Images that nobody has looked at for so long, the longest first. One that was never looked at
   * comes before all others, once it is old enough itself.
   * @param seconds between two looks
   * @param except images to leave out
   */
  due(
    ctx: RequestContext,
    seconds: number,
    except: readonly ImageId[],
    limit: number,
  ): Promise<ScrubbedImage[]> {
    return ctx.manager.query(
      `SELECT id, data_id AS "dataId", size, checksum AS md5, hash_value AS sha512,
              state = 'killed' AS "isKilled"
         FROM images
        WHERE ${DUE} AND NOT id = ANY($2::uuid[])
        ORDER BY scrubbed_at NULLS FIRST, id LIMIT $3`,
      [seconds, except, limit],
    );
  }

  async isDue(ctx: RequestContext, id: ImageId, seconds: number): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(`SELECT FROM images WHERE ${DUE} AND id = $2`, [
      seconds,
      id,
    ]);
    return rows.length > 0;
  }

  async markScrubbed(ctx: RequestContext, { id, dataId }: ScrubbedImage): Promise<void> {
    await ctx.manager.query(
      'UPDATE images SET scrubbed_at = now() WHERE id = $1 AND data_id = $2',
      [id, dataId],
    );
  }

  /** @returns false where the image is not there any more, is being deleted, or was damaged before */
  damage(ctx: RequestContext, image: ScrubbedImage, reason: string): Promise<boolean> {
    return inTransaction(ctx, async (tx) => {
      const found = await this.#locked(tx, image);
      if (!found || found.state === 'killed') return false;
      await transition(tx, imageStates, image.id, 'damage', { reason });
      await this.#markChanged(tx, image);
      return true;
    });
  }

  /**
   * Gives a damaged image the state back that it had.
   * @returns false where the image is not there any more, or is being deleted
   */
  recover(ctx: RequestContext, image: ScrubbedImage): Promise<boolean> {
    return inTransaction(ctx, async (tx) => {
      const found = await this.#locked(tx, image);
      if (found?.state !== 'killed') return false;
      const wasDeactivated = found.previous === 'deactivated';
      const event = wasDeactivated ? 'recoverDeactivated' : 'recoverActive';
      await transition(tx, imageStates, image.id, event);
      await this.#markChanged(tx, image);
      return true;
    });
  }

  async #locked(
    tx: RequestContext,
    { id, dataId }: ScrubbedImage,
  ): Promise<{ readonly state: ImageState; readonly previous: ImageState | null } | undefined> {
    const rows: { state: ImageState; previous: ImageState | null }[] = await tx.manager.query(
      `SELECT state, previous_state AS previous FROM images
        WHERE id = $1 AND data_id = $2 AND ${STORED} FOR UPDATE`,
      [id, dataId],
    );
    return rows[0];
  }

  async #markChanged(tx: RequestContext, { id }: ScrubbedImage): Promise<void> {
    await tx.manager.query(
      'UPDATE images SET scrubbed_at = now(), updated_at = now() WHERE id = $1',
      [id],
    );
  }
}
