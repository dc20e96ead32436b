/**
 * All SQL of the tables `used_image_ids` and `images`, of the latter but for what owners change
 * (`image-changes.repository.ts`), for uploads (`upload.repository.ts`) and for deletes
 * (`pending-delete.repository.ts`).
 *
 * Always holds: an image that is being deleted is found by nothing in here.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import { pageClause, type SortKey } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import { Image, type DataId, type ImageId } from './image.entity.js';
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

  /** Whether any image has data, or what an upload or a delete has left of it. */
  async haveData(ctx: RequestContext): Promise<boolean> {
    const rows: { found: boolean }[] = await ctx.manager.query(
      `SELECT EXISTS (
         SELECT FROM images WHERE data_id IS NOT NULL OR staged_data_id IS NOT NULL) AS found`,
    );
    return rows[0]?.found === true;
  }

  /**
   * Those of the given objects that an image knows, as its data or as what is staged for it. Of one
   * that is being deleted, each is to be removed by whoever comes upon it: what is written while
   * the others are removed would outlast them.
   */
  async knownData(ctx: RequestContext, ids: readonly DataId[]): Promise<Set<DataId>> {
    const rows: { id: DataId }[] = await ctx.manager.query(
      `SELECT data_id AS id FROM images
        WHERE data_id = ANY($1::uuid[]) AND state <> 'pending_delete'
       UNION ALL
       SELECT staged_data_id FROM images
        WHERE staged_data_id = ANY($1::uuid[]) AND state <> 'pending_delete'`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
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
}
