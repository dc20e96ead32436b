/**
 * Uploads under way, in Postgres.
 *
 * Always holds: whoever completes or aborts an upload has locked its row, and whoever stores a part
 * has locked it against that. So no part is stored of an upload that is none any more.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, shapeOf } from '@cumulet/common/database/rows';
import { Upload } from './upload.entity.js';
import { LIST, LIST_GROUPED, type ListedUpload, type UploadsAsked } from './upload-lists.js';
import type { UploadName } from './upload-name.js';

const NAMED = 'WHERE id = $1 AND bucket_id = $2 AND key = $3';

@Injectable()
export class UploadRepository {
  /** @throws QueryFailedError for `uploads_bucket_id_fkey` if its bucket is gone */
  async create(ctx: RequestContext, upload: Upload): Promise<void> {
    const shape = shapeOf(ctx.manager, Upload);
    const properties = Object.keys(upload) as (keyof Upload)[];
    const columns = properties.map((property) => shape.columnOf(property));
    const values = properties.map((property) => shape.valueOf(property, upload[property]));
    await preparedRows(
      ctx.manager,
      `INSERT INTO uploads (${columns.join(', ')})
       VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      values,
    );
  }

  find(ctx: RequestContext, name: UploadName): Promise<Upload | undefined> {
    return selectRow(ctx.manager, Upload, NAMED, paramsOf(name));
  }

  /** Nobody else stores parts of it, completes or aborts it until the transaction ends. */
  findLocked(tx: RequestContext, name: UploadName): Promise<Upload | undefined> {
    return selectRow(tx.manager, Upload, `${NAMED} FOR UPDATE`, paramsOf(name));
  }

  /**
   * Deletes it, and with it its parts unless an object has them.
   * @returns whether there was one
   */
  async delete(ctx: RequestContext, name: UploadName): Promise<boolean> {
    const sql = `DELETE FROM uploads ${NAMED} RETURNING id`;
    return (await preparedRows(ctx.manager, sql, paramsOf(name))).length === 1;
  }

  /** In the order of their keys, and for a key, of their ids. */
  list(ctx: RequestContext, asked: UploadsAsked): Promise<ListedUpload[]> {
    const { bucketId, prefix, after, delimiter, limit } = asked;
    const { columns } = shapeOf(ctx.manager, Upload);
    const params = [bucketId, Buffer.from(prefix), after.key, after.id, limit];
    return delimiter === ''
      ? preparedRows(ctx.manager, LIST(columns), params)
      : preparedRows(ctx.manager, LIST_GROUPED(columns), [...params, Buffer.from(delimiter)]);
  }
}

function paramsOf({ id, bucketId, key }: UploadName): unknown[] {
  return [id, bucketId, Buffer.from(key)];
}
