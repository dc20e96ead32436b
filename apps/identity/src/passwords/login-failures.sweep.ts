import type { Sweep } from '@cumulet/common/jobs/sweep';
import { LoginFailureRepository } from './login-failure.repository.js';

/** Forgets failures of so long ago that they no longer count. */
export function loginFailuresSweep(
  lockoutSeconds: number,
  failures = new LoginFailureRepository(),
): Sweep {
  return {
    name: 'past login failures',
    everyMs: 60_000,
    run: (ctx) => failures.deletePast(ctx, lockoutSeconds),
  };
}
