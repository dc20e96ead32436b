/**
 * Deletes a resource.
 *
 * Always holds: a resource that is gone already is not a failure; a refused deletion is retried
 * until its time is over and then fails with the service's message; a creation without an answer is
 * repeated first, because it may have created something.
 */
import { Inject, Injectable } from '@nestjs/common';
import { isRefusal } from '@cumulet/common/states/refusal';
import type { Plan, Wait } from '@cumulet/common/reconcile/reconciler';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { OrchestrationConfig } from '../../config.js';
import type { ExistingScope } from '../../resource-types/resource-type.js';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { ResourceEvent } from '../../rows/stack-resource.states.js';
import type { JsonObject } from '../../json/json.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import { reasonOf } from '../failure-reason.js';
import { HookStops } from './hooks.js';
import { recoverCreation } from './replacing.js';
import { lookAgain, OVERDUE, resourcePhase, type Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';
import { Settling } from './settle.js';

/** The key of the deletion policy's snapshot in the type's data. */
const SNAPSHOT = 'deletion_snapshot';

const BACKOFF_MS = { first: 500, max: 15_000 };

@Injectable()
export class Removing {
  readonly plan: Plan<LoadedResource, ResourceEvent> = {
    phases: [
      resourcePhase('learn', (run) => recoverCreation(this.tools, run)),
      resourcePhase('begin', (run) => this.begin(run)),
      resourcePhase('keepSnapshot', (run) => this.keepSnapshot(run)),
      resourcePhase('remove', (run) => this.remove(run)),
      resourcePhase('await', (run) => this.wait(run)),
      resourcePhase('forget', (run) => this.forget(run)),
    ],
    overdue: OVERDUE,
  };

  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrchestrationConfig, 'deleteRetrySeconds'>,
    private readonly tools: ResourceTools,
    private readonly settling: Settling,
    private readonly hooks: HookStops,
  ) {}

  async begin(run: Run): Promise<Wait | undefined> {
    const { ctx, row } = run;
    if (row.action === 'DELETE' && row.status === 'IN_PROGRESS') return undefined;
    if (row.action === 'INIT') return undefined;
    const stop = await this.hooks.stop(run, this.tools.kindOf(row).definition, 'pre-delete');
    if (stop) return stop;
    const event = { action: 'DELETE', status: 'IN_PROGRESS', reason: 'state changed' } as const;
    const { sealed, rows } = this.tools;
    await rows.begin(ctx, row, { ...event, properties: null }, sealed.seal({}));
    return undefined;
  }

  async keepSnapshot(run: Run): Promise<Wait | undefined> {
    const { ctx, row } = run;
    const type = this.tools.kindOf(row).type;
    if (!this.isRemoved(row) || this.policyOf(row) !== 'Snapshot') return undefined;
    const scope = this.scopeOf(run);
    const taken = scope.row.data[SNAPSHOT];
    const data = (taken ?? (await type.snapshot?.(scope, scope.key(SNAPSHOT))) ?? {}) as JsonObject;
    if (taken === undefined)
      await this.tools.rows.record(ctx, row, {
        data: this.tools.sealed.seal({ ...scope.row.data, [SNAPSHOT]: data }),
      });
    return (await this.isSnapshotTaken(run, data)) ? undefined : lookAgain(row);
  }

  /** A snapshot that fails is taken anew when the deletion is retried. */
  private async isSnapshotTaken(run: Run, data: JsonObject): Promise<boolean> {
    const { ctx, row } = run;
    const scope = this.scopeOf(run);
    try {
      return (await this.tools.kindOf(row).type.isSnapshot?.(scope, data)) ?? true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { [SNAPSHOT]: _, ...rest } = scope.row.data;
      await this.tools.rows.record(ctx, row, { data: this.tools.sealed.seal(rest) });
      throw error;
    }
  }

  async remove(run: Run): Promise<Wait | undefined> {
    const { ctx, row } = run;
    const type = this.tools.kindOf(row).type;
    if (row.frozen === null || !this.isRemoved(row)) return undefined;
    try {
      await type.remove(this.scopeOf(run));
    } catch (error) {
      return this.refused(run, error);
    }
    await this.tools.rows.record(ctx, row, { frozen: null });
    return undefined;
  }

  async wait(run: Run): Promise<Wait | undefined> {
    const { row } = run;
    const type = this.tools.kindOf(row).type;
    if (!type.isRemoved || !this.isRemoved(row)) return undefined;
    try {
      return (await type.isRemoved(this.scopeOf(run))) ? undefined : lookAgain(row);
    } catch (error) {
      return this.refused(run, error);
    }
  }

  async forget(run: Run): Promise<Wait | undefined> {
    const { ctx, row } = run;
    const isKnown = row.action === 'DELETE';
    if (isKnown) {
      const stop = await this.hooks.stop(run, this.tools.kindOf(row).definition, 'post-delete');
      if (stop) return stop;
    }
    const event = { action: 'DELETE', status: 'COMPLETE', reason: 'state changed' } as const;
    await this.settling.remove(ctx, row, isKnown ? { ...event, properties: null } : undefined);
    return undefined;
  }

  /** Retries until the deadline. @throws the refusal after that */
  private async refused({ ctx, row }: Run, error: unknown): Promise<Wait> {
    if (!isRefusal(error)) throw error;
    const waitMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** row.tries);
    const patience = row.stateSince.getTime() + this.config.deleteRetrySeconds * 1_000;
    const end = Math.min(patience, (row.timeoutAt?.getTime() ?? Infinity) - 1_000);
    if (Date.now() + waitMs > end) throw error;
    await this.tools.rows.tryAgain(ctx, row, reasonOf(error, row.name));
    return { waitMs };
  }

  /** Whether the stack owns something that is deleted with it. */
  private isRemoved(row: LoadedResource): boolean {
    if (row.isExternal || row.physicalId === null) return false;
    return this.policyOf(row) !== 'Retain';
  }

  private policyOf(row: LoadedResource): ResourceDefinition['deletionPolicy'] {
    return this.tools.kindOf(row).definition.deletionPolicy;
  }

  private scopeOf({ ctx, row, signal }: Run): ExistingScope {
    return this.tools.existing(ctx, row, signal);
  }
}
