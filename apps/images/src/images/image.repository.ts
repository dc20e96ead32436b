/**
 * All SQL of requests in the tables `used_image_ids` and `images`.
 *
 * Always holds: an image that is being deleted is found by nothing in here.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import { pageClause, type SortKey } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import { MAX_TAGS } from './image.attributes.js';
import { Image, type ImageId } from './image.entity.js';
import { ImageExistsError } from './image.errors.js';
import { bound, type Condition } from './sql-condition.js';
import { UsedImageId } from './used-image-id.entity.js';

export interface ImageUsage extends Readonly<Record<string, number>> {
  readonly image_count_total: number;
  /** Bytes of data, those that uploads and imports have announced among them. */
  readonly image_size_total: number;
  /** Bytes of staged data, likewise. */
  readonly image_stage_total: number;
  /** Uploads and imports that are under way. */
  readonly image_count_uploading: number;
}

const NOTHING: ImageUsage = {
  image_count_total: 0,
  image_size_total: 0,
  image_stage_total: 0,
  image_count_uploading: 0,
};

@Injectable()
export class ImageRepository {
  find(ctx: RequestContext, id: ImageId): Promise<Image | undefined> {
    return selectRow(ctx.manager, Image, `WHERE id = $1 AND state <> 'pending_delete'`, [id]);
  }

  /** @throws ImageExistsError when the id is taken or once was, by whosever image */
  async insert(tx: RequestContext, image: Image): Promise<void> {
    try {
      await tx.manager.insert(UsedImageId, { id: image.id });
    } catch (error) {
      throw violatesUnique(error, 'used_image_ids_pkey') ? new ImageExistsError(image.id) : error;
    }
    await tx.manager.insert(Image, image);
  }

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

  /**
   * Images in the order of the sort keys, after the marker where there is one.
   * @param marker an image that exists
   */
  async list(
    ctx: RequestContext,
    conditions: readonly Condition[],
    sort: readonly SortKey[],
    limit: number,
    marker: ImageId | undefined,
  ): Promise<Image[]> {
    const after = marker && (await this.#sortValues(ctx, marker, sort));
    const { where, params } = bound(conditions);
    const page = pageClause({ limit, sort, after }, params.length + 1);
    return selectRows(ctx.manager, Image, `WHERE ${where} AND ${page.condition} ${page.order}`, [
      ...params,
      ...page.params,
    ]);
  }

  /** What the context's project has. */
  async usage(ctx: RequestContext): Promise<ImageUsage> {
    const rows: ImageUsage[] = await ctx.manager.query(
      `SELECT count(*)::int AS image_count_total,
              COALESCE(sum(COALESCE(size, announced_size))
                FILTER (WHERE state NOT IN ('staging', 'staged')), 0)
                ::bigint AS image_size_total,
              COALESCE(sum(COALESCE(staged_size, announced_size))
                FILTER (WHERE state = 'staging' OR staged_size IS NOT NULL), 0)
                ::bigint AS image_stage_total,
              (count(*) FILTER (WHERE state IN ('saving', 'staging', 'import_waiting', 'importing')))
                ::int AS image_count_uploading
         FROM images WHERE owner = $1 AND state <> 'pending_delete'`,
      [ctx.projectId],
    );
    return rows[0] ?? NOTHING;
  }

  /** The marker's values of the sort keys as text, which keeps a time's microseconds. */
  async #sortValues(
    ctx: RequestContext,
    marker: ImageId,
    sort: readonly SortKey[],
  ): Promise<unknown[]> {
    const columns = sort.map(({ column }, at) => `(${column})::text AS "${at}"`).join(', ');
    const rows: Record<string, string>[] = await ctx.manager.query(
      `SELECT ${columns} FROM images WHERE id = $1`,
      [marker],
    );
    const [row = {}] = rows;
    return sort.map((_, at) => row[String(at)]);
  }

  async #update(ctx: RequestContext, sql: string, params: unknown[]): Promise<boolean> {
    const [, changed]: [unknown, number] = await ctx.manager.query(sql, params);
    return changed > 0;
  }
}
