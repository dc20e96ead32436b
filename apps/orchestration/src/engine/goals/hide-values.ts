/** What the owner of a stack is told of a failure, without the values of hidden parameters. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Phase, Plan } from '@cumulet/common/reconcile/reconciler';
import type { LoadedResource } from '../../rows/loaded-resource.js';
import { SupersededError } from '@cumulet/common/states/transition';
import type { HiddenValues } from '../../template/parameters/hidden-values.js';
import type { Run } from './phases.js';

export type HiddenOf = (ctx: Run['ctx'], stackId: string) => Promise<HiddenValues>;

/** Services and types name values in their errors: none that is hidden leaves a phase. */
export function hidingValues<E extends string>(
  plan: Plan<LoadedResource, E>,
  hiddenOf: HiddenOf,
): Plan<LoadedResource, E> {
  return { ...plan, phases: plan.phases.map((phase) => hiding(phase, hiddenOf)) };
}

function hiding(phase: Phase<LoadedResource>, hiddenOf: HiddenOf): Phase<LoadedResource> {
  return {
    name: phase.name,
    async run(scope) {
      try {
        return await phase.run(scope);
      } catch (error) {
        if (!(error instanceof DomainError) || error instanceof SupersededError) throw error;
        const hidden = await hiddenOf(scope.ctx, scope.row.stackId);
        const message = hidden.without(error.message);
        if (message === error.message) throw error;
        const { kind, retryAfter, forOperator } = error;
        throw new DomainError(kind, message, {
          ...(retryAfter === undefined ? {} : { retryAfter }),
          forOperator,
        });
      }
    },
  };
}
