/**
 * SQL of reconcilers and sweeps on `images`, except the scrub's. State changes go through
 * `transition()` and `amend()`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { selectRow } from '@cumulet/common/database/rows';
import { hasten } from '@cumulet/common/jobs/nudge';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { Injectable } from '@nestjs/common';
import { Image, type ImageId } from './image.entity.js';
import { imageStates } from './image.states.js';

/**
 * Each waiting import is behind the running ones of its project, and those of its kind that have
 * waited longer. Downloads queue separately, so slow servers do not delay staged data.
 */
const PLACES = `
  SELECT waiting.id, waiting.state_since,
         (SELECT count(*)::int FROM images AS other
           WHERE other.owner = waiting.owner
             AND (other.state = 'importing'
                  OR (other.state = 'import_waiting'
                      AND (other.staged_size IS NULL) = (waiting.staged_size IS NULL)
                      AND (other.state_since, other.id) < (waiting.state_since, waiting.id))))
           AS ahead
    FROM images AS waiting WHERE waiting.state = 'import_waiting'`;

/** Rows woken at a time; the others follow once these have worker slots. */
const MAX_HASTENED = 100;

@Injectable()
export class ImageWorkRepository {
  /** Finds images in any state, including those being deleted. */
  find(ctx: RequestContext, id: ImageId): Promise<Image | undefined> {
    return selectRow(ctx.manager, Image, 'WHERE id = $1', [id]);
  }

  /** Whether the image has had no transition since this row was read. */
  async isUnmoved(ctx: RequestContext, { id, generation }: Image): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      'SELECT FROM images WHERE id = $1 AND generation = $2',
      [id, generation],
    );
    return rows.length > 0;
  }

  /**
   * Whether it is this import's turn. Only rows decide, so a dead process holds no turn that its
   * image does not show. Other imports of the project wait for the transaction to end.
   * @param limit concurrent imports of a project
   */
  async isTurnOf(tx: RequestContext, { id, owner }: Image, limit: number): Promise<boolean> {
    await transactionLock(tx.manager, `imports:${owner}`);
    const places: { ahead: number }[] = await tx.manager.query(
      `SELECT ahead FROM (${PLACES} AND waiting.id = $1) AS places`,
      [id],
    );
    return (places[0]?.ahead ?? 0) < limit;
  }

  /** @param limit as for `isTurnOf` */
  async wakeImports(ctx: RequestContext, limit: number): Promise<void> {
    const rows: { id: ImageId }[] = await ctx.manager.query(
      `SELECT id FROM (${PLACES}) AS places WHERE ahead < $1 ORDER BY state_since LIMIT $2`,
      [limit, MAX_HASTENED],
    );
    const ids = rows.map(({ id }) => id);
    await hasten(ctx, imageStates.resource, ids);
  }

  /** Call this last: the row keeps its objects known. */
  async removeDeleted(ctx: RequestContext, id: ImageId): Promise<void> {
    await ctx.manager.query(`DELETE FROM images WHERE id = $1 AND state = 'pending_delete'`, [id]);
  }

  /** Whether any image has data, or remnants of an upload or a deletion. */
  async haveData(ctx: RequestContext): Promise<boolean> {
    const rows: { found: boolean }[] = await ctx.manager.query(
      `SELECT EXISTS (
         SELECT FROM images WHERE data_id IS NOT NULL OR staged_data_id IS NOT NULL) AS found`,
    );
    return rows[0]?.found === true;
  }

  /**
   * The given objects that an image refers to, as data or staged data. An image that is being
   * deleted refers to none, so that objects written during its deletion are removed as well.
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
}
