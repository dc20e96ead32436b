/** All SQL of what an image's owner changes in the table `images`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { Injectable } from '@nestjs/common';
import { MAX_TAGS } from './image.attributes.js';
import { Image, type ImageId } from './image.entity.js';

@Injectable()
export class ImageChangesRepository {
  /**
   * The image as it is, and stays until the transaction ends: whoever else changes it waits.
   * @returns undefined where it is not there, or is being deleted
   */
  lock(tx: RequestContext, id: ImageId): Promise<Image | undefined> {
    const tail = `WHERE id = $1 AND state <> 'pending_delete' FOR UPDATE`;
    return selectRow(tx.manager, Image, tail, [id]);
  }

  /**
   * Writes all that an owner can change.
   * @param image is locked
   * @returns the image as it is now
   */
  async save(tx: RequestContext, image: Image): Promise<Image> {
    // Not now(), which is when the transaction began: it may have waited for another since.
    const [rows]: [{ updatedAt: Date }[], number] = await tx.manager.query(
      `UPDATE images
          SET owner = $2, name = $3, visibility = $4, protected = $5, os_hidden = $6,
              disk_format = $7, container_format = $8, min_disk = $9, min_ram = $10,
              tags = $11, properties = $12, updated_at = clock_timestamp()
        WHERE id = $1 RETURNING updated_at AS "updatedAt"`,
      [
        image.id,
        image.owner,
        image.name,
        image.visibility,
        image.protected,
        image.hidden,
        image.diskFormat,
        image.containerFormat,
        image.minDisk,
        image.minRam,
        image.tags,
        JSON.stringify(image.properties),
      ],
    );
    return Object.assign(image, rows[0]);
  }

  /** @returns false where the image is gone, or has all the tags that it may have */
  addTag(ctx: RequestContext, id: ImageId, tag: string): Promise<boolean> {
    return this.#update(
      ctx,
      `UPDATE images
          SET tags = CASE WHEN $2 = ANY(tags) THEN tags ELSE array_append(tags, $2) END,
              updated_at = now()
        WHERE id = $1 AND state <> 'pending_delete'
          AND ($2 = ANY(tags) OR cardinality(tags) < $3)`,
      [id, tag, MAX_TAGS],
    );
  }

  /** @returns false where the image is gone, or has no such tag */
  removeTag(ctx: RequestContext, id: ImageId, tag: string): Promise<boolean> {
    return this.#update(
      ctx,
      `UPDATE images SET tags = array_remove(tags, $2), updated_at = now()
        WHERE id = $1 AND state <> 'pending_delete' AND $2 = ANY(tags)`,
      [id, tag],
    );
  }

  /** Notes that the image has changed. */
  async touch(tx: RequestContext, id: ImageId): Promise<void> {
    await this.#update(tx, 'UPDATE images SET updated_at = clock_timestamp() WHERE id = $1', [id]);
  }

  async #update(ctx: RequestContext, sql: string, params: unknown[]): Promise<boolean> {
    const [, changed]: [unknown, number] = await ctx.manager.query(sql, params);
    return changed > 0;
  }
}
