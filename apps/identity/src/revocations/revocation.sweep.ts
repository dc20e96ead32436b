import type { Sweep } from '@cumulet/common/jobs/sweep';
import { RevocationRepository } from './revocation.repository.js';

/** Forgets events once no token that they match can still be valid, or be asked about. */
export function revocationSweep(
  windowSeconds: number,
  revocations = new RevocationRepository(),
): Sweep {
  return {
    name: 'expired revocations',
    everyMs: 60_000,
    run: (ctx) => revocations.deleteExpired(ctx, windowSeconds),
  };
}
