import type { Sweep } from '@cumulet/common/jobs/sweep';
import type { PendingDeleteRepository } from './pending-delete.repository.js';
import type { PendingDeletes } from './pending-deletes.js';

/** Finishes the deletes that a crash, or a store out of reach, has cut short. */
export function pendingDeletesSweep(
  repository: PendingDeleteRepository,
  deletes: PendingDeletes,
): Sweep {
  return {
    name: 'pending-deletes',
    everyMs: 3_000,
    async run(ctx) {
      for (const pending of await repository.list(ctx)) await deletes.finish(ctx, pending);
    },
  };
}
