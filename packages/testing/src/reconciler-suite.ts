/**
 * Tests of every reconciler: it runs twice cleanly, resumes after a crash before and after each phase,
 * and releases everything after a failure in each phase, unless the phase has moved the row itself. A
 * run repeats until the row is settled: a phase that waits is run again.
 */
import { describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { conflict } from '@cumulet/common/errors/domain-error';
import { failureOfPlan } from '@cumulet/common/reconcile/end-plan';
import type { Phase, ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { runReconciler, SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';
import { createLogger } from '@cumulet/common/observe/logger';

export interface ReconcilerCase<Row extends ReconciledRow<S>, S extends string, E extends string> {
  /** The state whose plan is tested. */
  readonly state: S;
  /** Phases of that plan, by name, known before the reconciler exists. */
  readonly phases: readonly string[];
  readonly reconciler: () => Reconciler<Row, S, E>;
  readonly ctx: () => RequestContext;
  /** Inserts a row in that state, and prepares the world for it. */
  readonly arrange: () => Promise<string>;
  /** The parts of this resource outside the rows, comparable with toEqual. */
  readonly world: (id: string) => unknown;
  /** Asserts that the row is where a completed plan leaves it. */
  readonly expectDone: (id: string) => Promise<void>;
  /** Asserts that the row failed with this reason; unused if a failure leads to another try. */
  readonly expectFailed: (id: string, reason: string) => Promise<void>;
  /** `world` after a failure was released; absent if the plan takes nothing. */
  readonly released?: unknown;
}

const logger = createLogger('test', 'silent');

/** More runs than any plan takes. */
const MAX_TURNS = 50;

class InjectedFailure extends conflict((phase: string) => `injected failure in ${phase}`) {}

export function reconcilerSuite<Row extends ReconciledRow<S>, S extends string, E extends string>(
  test: ReconcilerCase<Row, S, E>,
): void {
  const run = async (
    id: string,
    beforePhase?: (name: string) => void,
    reconciler = test.reconciler(),
  ): Promise<void> => {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      await runReconciler(reconciler, test.ctx(), id, 0, {
        logger,
        ...(beforePhase ? { beforePhase } : {}),
      });
      const row = await reconciler.load(test.ctx(), id);
      if (!row || !reconciler.plans[row.state]) return;
    }
    throw new Error(`${test.state} has not settled in ${MAX_TURNS} runs`);
  };

  describe(`reconciling ${test.state}`, () => {
    it('has the phases that this suite knows', () => {
      expect(test.reconciler().plans[test.state]?.phases.map(({ name }) => name)).toEqual(
        test.phases,
      );
    });

    it('settles, and a second run changes nothing', async () => {
      const id = await test.arrange();
      await run(id);
      await test.expectDone(id);
      const before = test.world(id);
      await run(id);
      expect(test.world(id)).toEqual(before);
      await test.expectDone(id);
    });

    it.each(test.phases.map((phase) => ({ phase })))(
      'resumes after a crash before $phase',
      async ({ phase }) => {
        const id = await test.arrange();
        const crash = (name: string): void => {
          if (name === phase) throw new SimulatedCrash();
        };
        await expect(run(id, crash)).rejects.toThrow(SimulatedCrash);
        await run(id);
        await test.expectDone(id);
      },
    );

    it('resumes after a crash behind the last phase', async () => {
      const id = await test.arrange();
      const last = test.phases.at(-1) ?? '';
      const dying = throwingAfter(test.reconciler(), test.state, last, new SimulatedCrash());
      await expect(run(id, undefined, dying)).rejects.toThrow(SimulatedCrash);
      await run(id);
      await test.expectDone(id);
    });

    it.each(test.phases.map((phase) => ({ phase })))(
      'releases all after a failure in $phase, unless that has moved the row',
      async ({ phase }) => {
        const id = await test.arrange();
        const failure = new InjectedFailure(phase);
        const failing = throwingAfter(test.reconciler(), test.state, phase, failure);
        if (isTriedAgain(test)) await runReconciler(failing, test.ctx(), id, 0, { logger });
        else await run(id, undefined, failing);
        if (movesTheRow(test, phase) || isTriedAgain(test)) {
          await run(id);
          await test.expectDone(id);
          return;
        }
        await test.expectFailed(id, failure.message);
        if ('released' in test) expect(test.world(id)).toEqual(test.released);
      },
    );
  });
}

/** Whether the phase itself ends the plan's state: a later failure changes nothing. */
function movesTheRow<Row extends ReconciledRow<S>, S extends string, E extends string>(
  { reconciler, state, phases }: ReconcilerCase<Row, S, E>,
  phase: string,
): boolean {
  return reconciler().plans[state]?.then === undefined && phase === phases.at(-1);
}

/** Whether the plan's failure only leads to another run of it. */
function isTriedAgain<Row extends ReconciledRow<S>, S extends string, E extends string>({
  reconciler,
  state,
}: ReconcilerCase<Row, S, E>): boolean {
  const failure = failureOfPlan(reconciler(), state) as E;
  return reconciler().states.events[failure].to === state;
}

/** The same reconciler, whose phase does its work and then throws. */
function throwingAfter<Row extends ReconciledRow<S>, S extends string, E extends string>(
  reconciler: Reconciler<Row, S, E>,
  state: S,
  name: string,
  error: Error,
): Reconciler<Row, S, E> {
  const plan = reconciler.plans[state];
  if (!plan) throw new Error(`no plan for ${state}`);
  const throwing = (phase: Phase<Row>): Phase<Row> => ({
    name: phase.name,
    async run(scope) {
      const wait = await phase.run(scope);
      if (wait) return wait;
      throw error;
    },
  });
  const phases = plan.phases.map((phase) => (phase.name === name ? throwing(phase) : phase));
  return {
    states: reconciler.states,
    taskOf: (row) => reconciler.taskOf(row),
    load: (ctx, id) => reconciler.load(ctx, id),
    plans: { ...reconciler.plans, [state]: { ...plan, phases } },
    ended: async (...end) => reconciler.ended?.(...end),
    afterEnd: async (...end) => reconciler.afterEnd?.(...end),
  };
}
