/** All SQL of the table `images`, but for the columns of an upload (`upload.repository.ts`). */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { violatesUnique } from '@cumulet/common/database/violations';
import { pageClause, type SortKey } from '@cumulet/common/http/paging';
import { Injectable } from '@nestjs/common';
import { Image, type DataId, type ImageId } from './image.entity.js';
import { ImageExistsError } from './image.errors.js';
import { bound, type Condition } from './sql-condition.js';

export interface ImageUsage extends Readonly<Record<string, number>> {
  readonly image_count_total: number;
  readonly image_size_total: number;
}

@Injectable()
export class ImageRepository {
  find(ctx: RequestContext, id: ImageId): Promise<Image | undefined> {
    return selectRow(ctx.manager, Image, 'WHERE id = $1', [id]);
  }

  /** @throws ImageExistsError when the id is taken, by whosever image */
  async insert(ctx: RequestContext, image: Image): Promise<void> {
    try {
      await ctx.manager.insert(Image, image);
    } catch (error) {
      throw violatesUnique(error, 'images_pkey') ? new ImageExistsError(image.id) : error;
    }
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

  /** @returns the object that held the image's data, or null; undefined when there was no row */
  async delete(ctx: RequestContext, id: ImageId): Promise<DataId | null | undefined> {
    const [rows]: [{ data: DataId | null }[], number] = await ctx.manager.query(
      'DELETE FROM images WHERE id = $1 RETURNING data_id AS data',
      [id],
    );
    return rows[0]?.data;
  }

  /** What the context's project has; an upload counts with what it has announced. */
  async usage(ctx: RequestContext): Promise<ImageUsage> {
    const rows: ImageUsage[] = await ctx.manager.query(
      `SELECT count(*)::int AS image_count_total,
              COALESCE(sum(COALESCE(size, announced_size, 0)), 0)::bigint AS image_size_total
         FROM images WHERE owner = $1`,
      [ctx.projectId],
    );
    return rows[0] ?? { image_count_total: 0, image_size_total: 0 };
  }

  /** Those of the given objects that an image knows. */
  async knownData(ctx: RequestContext, ids: readonly DataId[]): Promise<Set<DataId>> {
    const rows: { id: DataId }[] = await ctx.manager.query(
      'SELECT data_id AS id FROM images WHERE data_id = ANY($1::uuid[])',
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
