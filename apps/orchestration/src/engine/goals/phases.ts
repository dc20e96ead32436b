/** The phases of all goals: a permanent failure names its resource. */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { fromForeign } from '@cumulet/common/errors/foreign-errors';
import type { Phase, Plan, Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { SupersededError } from '@cumulet/common/states/transition';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { HiddenValues } from '../../template/parameters/hidden-values.js';
import { ResourceFailure } from '../failure-reason.js';

export type Run = Scope<LoadedResource>;

export const OVERDUE = 'Timed out';

export function resourcePhase(
  name: string,
  run: (run: Run) => Promise<Wait | undefined> | Promise<void>,
): Phase<LoadedResource> {
  return {
    name,
    async run(scope) {
      try {
        return (await run(scope)) ?? undefined;
      } catch (thrown) {
        throw failureOf(thrown, scope.row.name);
      }
    },
  };
}

function failureOf(thrown: unknown, resource: string): unknown {
  const error = fromForeign(thrown);
  if (!(error instanceof DomainError) || error instanceof SupersededError) return thrown;
  const isPassing = error.kind === 'transient' || error.kind === 'unavailable';
  return isPassing || error instanceof ResourceFailure
    ? error
    : new ResourceFailure(error, resource);
}

const POLL_MS = { min: 200, max: 5_000 };

/** The interval grows with the time that it has taken so far. */
export function lookAgain({ stateSince }: LoadedResource): Wait {
  const waited = Date.now() - stateSince.getTime();
  return { waitMs: Math.min(POLL_MS.max, Math.max(POLL_MS.min, waited / 8)) };
}

export type HiddenOf = (ctx: Run['ctx'], stackId: string) => Promise<HiddenValues>;

/** Hides parameters' values, which errors of services and types may quote. */
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
