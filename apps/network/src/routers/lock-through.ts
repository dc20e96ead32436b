/**
 * Locks routers, and then what leads through them. Which routers these are is known only once that is
 * locked; to lock a router then would be the wrong order, so it begins anew where there is another.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { lockRouters } from './router-locks.js';

/**
 * @param routersOf the routers, as they are when it is asked
 * @param lock locks what leads through them; nothing is written before it returns
 * @returns what `lock` does, with all routers locked before it
 */
export async function lockThrough<T>(
  tx: RequestContext,
  routersOf: () => Promise<readonly (string | null)[]>,
  lock: () => Promise<T>,
): Promise<T> {
  for (;;) {
    // Going back to it lets go of all locks that came after.
    await tx.manager.query('SAVEPOINT lock_through');
    const known = await routersOf();
    await lockRouters(tx, known);
    const locked = await lock();
    const all = await routersOf();
    const isComplete = all.every((id) => id === null || known.includes(id));
    if (!isComplete) await tx.manager.query('ROLLBACK TO SAVEPOINT lock_through');
    await tx.manager.query('RELEASE SAVEPOINT lock_through');
    if (isComplete) return locked;
  }
}
