import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { ImportTurnRepository } from './import-turn.repository.js';

/**
 * Wakes the imports whose turn has come, as others have ended.
 * @param limit imports of a project that may be worked on at once
 */
export function importTurnsSweep(turns: ImportTurnRepository, limit: number): Sweep {
  return { name: 'import-turns', everyMs: 1_000, run: (ctx) => turns.wake(ctx, limit) };
}
