/** Waits for a service's work to be done: for a state, never for a time. */
import type { DataSource } from 'typeorm';

/** Ends what hangs, before Jest does without a word of what it waited for. */
const MAX_WAIT_MS = 110_000;
/** Between two looks: a tenth of the time waited so far, so that looking costs less than what it looks at. */
const PAUSE_MS = { least: 10, most: 250 };

/** Returns once the service's job queue is empty. */
export async function settle(dataSource: DataSource): Promise<void> {
  await eventually('the job queue is empty', async () => {
    const rows: unknown[] = await dataSource.query('SELECT FROM jobs LIMIT 1');
    return rows.length === 0;
  });
}

/**
 * Returns once `condition` holds.
 * @throws Error naming `what` it waited for, after `maxWaitMs`, by default somewhat less than a test may take
 */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
  const start = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - start;
    if (waited > maxWaitMs) throw new Error(`waited ${maxWaitMs} ms in vain until ${what}`);
    const pause = Math.min(Math.max(PAUSE_MS.least, waited / 10), PAUSE_MS.most);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
