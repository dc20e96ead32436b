import { OvsdbUnavailableError } from '../../../ovsdb/ovsdb.errors.js';

/**
 * Does the work for each, also after one has failed: a device that cannot be made holds up no other.
 * @throws what the first threw
 */
export async function forEach<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) {
    try {
      await work(one);
    } catch (error) {
      if (error instanceof OvsdbUnavailableError) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
