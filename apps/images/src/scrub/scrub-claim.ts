import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ImageId } from '../images/image.entity.js';

/**
 * Does `work` unless another process is checking the same image. The claim is a lock of a database
 * session, so it ends with the process, and no transaction stays open meanwhile.
 * @returns whether the work was done
 */
export async function withScrubClaim(
  ctx: RequestContext,
  id: ImageId,
  work: () => Promise<void>,
): Promise<boolean> {
  const session = ctx.manager.dataSource.createQueryRunner();
  const lock = [`cumulet:scrub:${id}`];
  try {
    const rows = (await session.query(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      lock,
    )) as { taken: boolean }[];
    if (rows[0]?.taken !== true) return false;
    try {
      await work();
      return true;
    } finally {
      // A lost session has lost its lock too.
      await session
        .query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lock)
        .catch(() => undefined);
    }
  } finally {
    await session.release();
  }
}
