/**
 * Waits for the switch to apply its database. The switch compares rows as a whole: it would not
 * notice that a device was unplugged, created anew and plugged in again between two comparisons,
 * and would keep using the old one. Public source: ovs-vswitchd.conf.db(5), `next_cfg`, `cur_cfg`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OvsdbClient } from '../../ovsdb/ovsdb-client.js';
import { OvnHostError } from './ovn-host.errors.js';
import { OvsdbUnavailableError } from '../../ovsdb/ovsdb.errors.js';

const LIMIT_MS = 10_000;

/**
 * Returns once the switch has applied all earlier changes.
 * @throws OvsdbUnavailableError; OvnHostError after ten seconds
 */
export async function untilApplied(database: OvsdbClient): Promise<void> {
  const configuration = (): readonly [string, number, number] | undefined => {
    const [found] = database.rows.of('Open_vSwitch');
    return found && [found[0], found[1]['next_cfg'] as number, found[1]['cur_cfg'] as number];
  };
  const [id] = configuration() ?? [];
  if (id === undefined) return;
  await database.transact([{ op: 'increment', table: 'Open_vSwitch', id, column: 'next_cfg' }]);
  const [, asked = 0] = configuration() ?? [];
  const ending = new AbortController();
  const { signal } = ending;
  const isApplied = (): boolean => (configuration()?.[2] ?? 0) >= asked;
  const applied = new Promise<void>((resolve) => {
    const end = database.onChange(() => {
      if (isApplied()) resolve();
    });
    signal.addEventListener('abort', end);
    if (isApplied()) resolve();
  });
  const late = delay(LIMIT_MS, undefined, { signal }).then(() => {
    throw new OvnHostError('The switch of this host does not apply its database.');
  });
  try {
    await Promise.race([applied, late]);
  } finally {
    ending.abort();
  }
}

/** Runs `work` for each item, even after one has failed. @throws the first error */
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
