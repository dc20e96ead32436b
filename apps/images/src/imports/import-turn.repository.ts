/**
 * All SQL of the turns of imports.
 *
 * Always holds: whose turn it is follows from the rows alone, so whatever dies holds no turn that
 * its image does not show, and gives it up with its image's state.
 */
import type { ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { transactionLock } from '@cumulet/common/database/advisory-lock';
import { hasten } from '@cumulet/common/jobs/hasten';
import { transition } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import type { ImageId } from '../images/image.entity.js';
import { imageStates } from '../images/image.states.js';

/**
 * An import comes after those of its project that are worked on, and after those of its kind that
 * have waited for longer; a download waits for others, and what is staged must not wait with it.
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

/** As many as wait for a slot at a time; the others are hastened once these have theirs. */
const MOST_HASTENED = 100;

@Injectable()
export class ImportTurnRepository {
  /**
   * Has the work on an import begin, if it is its turn. Call it in a transaction.
   * @param owner of the image
   * @param limit imports of a project that may be worked on at once
   * @returns whether it is
   * @throws WrongStateError or RowGoneError
   */
  async take(tx: RequestContext, id: ImageId, owner: ProjectId, limit: number): Promise<boolean> {
    await transactionLock(tx.manager, `imports:${owner}`);
    const places: { ahead: number }[] = await tx.manager.query(
      `SELECT ahead FROM (${PLACES} AND waiting.id = $1) AS places`,
      [id],
    );
    if ((places[0]?.ahead ?? 0) >= limit) return false;
    await transition(tx, imageStates, id, 'beginImport');
    return true;
  }

  /** Wakes those whose turn it is. @param limit as that of `take` */
  async wake(ctx: RequestContext, limit: number): Promise<void> {
    const rows: { id: ImageId }[] = await ctx.manager.query(
      `SELECT id FROM (${PLACES}) AS places WHERE ahead < $1 ORDER BY state_since LIMIT $2`,
      [limit, MOST_HASTENED],
    );
    const ids = rows.map(({ id }) => id);
    await hasten(ctx, imageStates.resource, ids);
  }
}
