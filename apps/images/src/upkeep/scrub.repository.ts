/** All SQL of the integrity scrub in the table `images`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  SupersededError,
  transition,
  type TransitionOptions,
} from '@cumulet/common/states/transition';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import type { ImageId } from '../images/image.entity.js';
import { imageStates, type ImageEvent } from '../images/image.states.js';

/** An image whose stored bytes are to be compared with its row. */
export interface ScrubbedImage {
  readonly id: ImageId;
  readonly dataId: DataId;
  readonly size: number;
  readonly md5: string;
  readonly sha512: string;
  readonly isKilled: boolean;
  /** Its state before the damage, if it is damaged. */
  readonly wasDeactivated: boolean;
}

/**
 * Stored data of an image never changes, but its image may be deleted at any time. Damaged data may
 * be whole again, as after a repair of the store.
 */
const STORED = `state IN ('active', 'deactivated', 'killed')`;

/** Takes the seconds between two checks as the first parameter. */
const DUE = `${STORED}
  AND COALESCE(scrubbed_at, created_at) <= now() - $1::double precision * interval '1 second'`;

export class ScrubRepository {
  /**
   * Images that have not been checked for this long, the longest first. One that was never checked
   * comes first, once it is old enough itself.
   * @param seconds between two checks
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
              state = 'killed' AS "isKilled",
              COALESCE(previous_state = 'deactivated', false) AS "wasDeactivated"
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

  /** @returns false if the image is gone, is being deleted, or was damaged before */
  damage(ctx: RequestContext, image: ScrubbedImage, reason: string): Promise<boolean> {
    return this.#moved(ctx, image, 'damage', { reason });
  }

  /**
   * Restores the previous state of a damaged image.
   * @returns false if the image is gone, or is being deleted
   */
  recover(ctx: RequestContext, image: ScrubbedImage): Promise<boolean> {
    return this.#moved(ctx, image, image.wasDeactivated ? 'recoverDeactivated' : 'recoverActive');
  }

  async #moved(
    ctx: RequestContext,
    { id, dataId }: ScrubbedImage,
    event: ImageEvent,
    options: TransitionOptions = {},
  ): Promise<boolean> {
    try {
      await transition(ctx, imageStates, id, event, { ...options, only: { dataId } });
      return true;
    } catch (error) {
      if (error instanceof SupersededError) return false;
      throw error;
    }
  }
}
