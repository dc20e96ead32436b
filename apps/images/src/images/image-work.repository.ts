/**
 * All SQL of reconcilers and sweeps in the table `images`, except the scrub's. Changes of a state,
 * or within one, go through `transition()` and `amend()`.
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
 * An import comes after those of its project that are under way, and after those of its kind that
 * have waited longer. Kinds wait apart: a download waits for other servers, and staged data must
 * not wait with it.
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

/** How many are hastened at a time; the others follow once these have their slots. */
const MAX_HASTENED = 100;

@Injectable()
export class ImageWorkRepository {
  /** Finds an image in any state, even one that is being deleted. */
  find(ctx: RequestContext, id: ImageId): Promise<Image | undefined> {
    return selectRow(ctx.manager, Image, 'WHERE id = $1', [id]);
  }

  /** Whether the image has had no transition since it was read. */
  async isUnmoved(ctx: RequestContext, { id, generation }: Image): Promise<boolean> {
    const rows: unknown[] = await ctx.manager.query(
      'SELECT FROM images WHERE id = $1 AND generation = $2',
      [id, generation],
    );
    return rows.length > 0;
  }

  /**
   * Whether it is this import's turn. Only the rows decide, so a process that dies holds no turn
   * that its image does not show. Until the transaction ends, no other import of its project gets
   * an answer.
   * @param limit imports of a project that may be worked on at once
   */
  async isTurnOf(tx: RequestContext, { id, owner }: Image, limit: number): Promise<boolean> {
    await transactionLock(tx.manager, `imports:${owner}`);
    const places: { ahead: number }[] = await tx.manager.query(
      `SELECT ahead FROM (${PLACES} AND waiting.id = $1) AS places`,
      [id],
    );
    return (places[0]?.ahead ?? 0) < limit;
  }

  /**
   * Wakes the imports whose turn has come because others have ended. @param limit as of `isTurnOf`
   */
  async wakeImports(ctx: RequestContext, limit: number): Promise<void> {
    const rows: { id: ImageId }[] = await ctx.manager.query(
      `SELECT id FROM (${PLACES}) AS places WHERE ahead < $1 ORDER BY state_since LIMIT $2`,
      [limit, MAX_HASTENED],
    );
    const ids = rows.map(({ id }) => id);
    await hasten(ctx, imageStates.resource, ids);
  }

  /** The row is removed last: as long as it exists, its objects are known. */
  async removeDeleted(ctx: RequestContext, id: ImageId): Promise<void> {
    await ctx.manager.query(`DELETE FROM images WHERE id = $1 AND state = 'pending_delete'`, [id]);
  }

  /** Whether any image has data, or remains of an upload or a delete. */
  async haveData(ctx: RequestContext): Promise<boolean> {
    const rows: { found: boolean }[] = await ctx.manager.query(
      `SELECT EXISTS (
         SELECT FROM images WHERE data_id IS NOT NULL OR staged_data_id IS NOT NULL) AS found`,
    );
    return rows[0]?.found === true;
  }

  /**
   * Those of the given objects that an image knows, as its data or its staged data. An image that
   * is being deleted knows none, so whoever finds its objects removes them: one written while the
   * others are removed would otherwise outlast them.
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
