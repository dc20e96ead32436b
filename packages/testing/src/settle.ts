/** Waits for a service's work to be done: for a state, never for a time. */
import type { DataSource } from 'typeorm';

/** Ends what hangs, before Jest does without a word of what it waited for. */
const MAX_WAIT_MS = 110_000;
const STEP_MS = 10;

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
  const end = Date.now() + maxWaitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${maxWaitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
