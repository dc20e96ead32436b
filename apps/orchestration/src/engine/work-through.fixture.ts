/** Works on one stack within a test, without workers. */
import { createLogger } from '@cumulet/common/observe/logger';
import type { ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { runReconciler, SimulatedCrash } from '@cumulet/common/reconcile/run-reconciler';
import type { Stack } from '../rows/stack.entity.js';
import type { TestEngine } from './engine.fixture.js';

const logger = createLogger('test', 'silent');

const MAX_ROUNDS = 400;

/**
 * Runs the reconcilers that are nudged, one after the other, until the stack has settled.
 * @param beforePhase may throw SimulatedCrash, after which the work is resumed
 */
export async function workThrough(
  engine: TestEngine,
  { id }: Pick<Stack, 'id'>,
  beforePhase: () => void = () => undefined,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stack = await engine.stacks.find(engine.ctx, id);
    if (stack?.state !== 'in_progress') return;
    await runMortal(engine, engine.stackReconciler, id, beforePhase);
    await workOnResources(engine, id, beforePhase);
  }
  throw new Error('the stack has not settled');
}

/** Resources in progress, each once. */
export async function workOnResources(
  engine: TestEngine,
  id: string,
  beforePhase: () => void = () => undefined,
): Promise<void> {
  for (const row of await engine.stacks.resources(engine.ctx, id)) {
    if (row.state === 'settled' || row.state === 'waiting') continue;
    await runMortal(engine, engine.resourceReconciler, row.id, beforePhase);
  }
}

async function runMortal<Row extends ReconciledRow>(
  { ctx }: TestEngine,
  reconciler: Reconciler<Row>,
  id: string,
  beforePhase: () => void,
): Promise<void> {
  try {
    await runReconciler(reconciler, ctx, id, 0, { logger, beforePhase });
  } catch (error) {
    if (!(error instanceof SimulatedCrash)) throw error;
  }
}
