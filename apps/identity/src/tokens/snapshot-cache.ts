/**
 * What has been read from a database, kept for as long as nothing has been committed to it. Each
 * reader asks Postgres first whether that is so; readers who wait at the same time ask together.
 *
 * Always holds: what is returned is what the rows say at some time after it was asked for, whichever
 * process has changed them, as if nothing were kept. Two equal snapshots see the same transactions,
 * within the life of one server.
 */
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CoalescedReads } from '@cumulet/common/database/coalesced-reads';
import { preparedRows } from '@cumulet/common/database/rows';

export class SnapshotCache<T extends object> {
  readonly #kept: LRUCache<string, T>;
  readonly #looks = new CoalescedReads<string>();
  #snapshot = '';

  /** @param max how many of the results are kept */
  constructor(max: number) {
    this.#kept = new LRUCache({ max });
  }

  /**
   * Must not be called within a transaction, which sees what others do not.
   * @param load reads rows alone: its result depends on nothing but them and the key
   * @returns what others may be given too; it must not be changed
   */
  async read(ctx: RequestContext, key: string, load: () => Promise<T>): Promise<T> {
    const snapshot = await this.#looks.read('', () => snapshotOf(ctx));
    if (snapshot !== this.#snapshot) {
      this.#kept.clear();
      this.#snapshot = snapshot;
    }
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const loaded = await load();
    // What was read while something was committed may miss that.
    if (snapshot === this.#snapshot) this.#kept.set(key, loaded);
    return loaded;
  }
}

/** Which transactions a statement sees, of those of which server. */
async function snapshotOf({ manager }: RequestContext): Promise<string> {
  const [row] = await preparedRows<{ snapshot: string }>(
    manager,
    `SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) AS snapshot`,
  );
  return row?.snapshot ?? '';
}
