/** Phases that wait for other services, and say so. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { fromForeign } from '@cumulet/common/errors/foreign-errors';
import { phase, type Phase, type Scope, type Wait } from '@cumulet/common/reconcile/reconciler';
import type { Cluster } from '../clusters/cluster.entity.js';
import { note, TRYING_AGAIN } from './cluster-row.js';
import { outOfTime } from './out-of-time.js';

/**
 * A phase that is tried again where another service does not answer. Its words are the cluster's reason
 * meanwhile, and what the cluster ends with where its time is over.
 * @throws ClusterTimedOutError
 */
export function patient(
  name: string,
  run: (scope: Scope<Cluster>) => Promise<Wait | undefined> | Promise<void>,
): Phase<Cluster> {
  return phase(name, async (scope) => {
    try {
      return (await run(scope)) ?? undefined;
    } catch (thrown) {
      const error = fromForeign(thrown);
      if (!isPassing(error)) throw error;
      const { ctx, row } = scope;
      if (isLate(row)) throw outOfTime(row, error.message);
      const words = `${TRYING_AGAIN}${error.message}`;
      if (row.stateReason !== words) await note(ctx, row, { stateReason: words });
      throw error;
    }
  });
}

function isPassing(error: unknown): error is DomainError {
  return (
    error instanceof DomainError && (error.kind === 'transient' || error.kind === 'unavailable')
  );
}

function isLate({ timeoutAt }: Cluster): boolean {
  return timeoutAt !== null && timeoutAt.getTime() <= Date.now();
}
