/** What the rows of all tables say of the bytes in the store. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { DataId } from '@cumulet/storage/stores/byte-store';

@Injectable()
export class StoredDataRepository {
  /** Whether any row names bytes in the store, or remains of such bytes. */
  async haveData(ctx: RequestContext): Promise<boolean> {
    const [row] = await preparedRows<{ found: boolean }>(
      ctx.manager,
      `SELECT EXISTS (SELECT FROM objects WHERE data_id IS NOT NULL)
           OR EXISTS (SELECT FROM parts WHERE data_id IS NOT NULL)
           OR EXISTS (SELECT FROM loose_data) AS found`,
    );
    return row?.found === true;
  }

  /**
   * Makes bytes loose that no row names. A row names them from before they are begun until they are
   * removed, so those that none names in one snapshot, after they were seen, will never have one.
   * @param ids that were seen in the store before this call
   * @returns those of them
   */
  async loosenUnknown(ctx: RequestContext, ids: readonly DataId[]): Promise<DataId[]> {
    const rows = await preparedRows<{ id: DataId }>(
      ctx.manager,
      `INSERT INTO loose_data (data_id, until)
       SELECT id, now() FROM unnest($1::uuid[]) AS id
        WHERE NOT EXISTS (SELECT FROM loose_data WHERE data_id = id)
          AND NOT EXISTS (SELECT FROM objects WHERE data_id = id)
          AND NOT EXISTS (SELECT FROM parts WHERE data_id = id)
       ON CONFLICT DO NOTHING RETURNING data_id AS id`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }
}
