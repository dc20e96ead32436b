/** Checks, suspends, resumes and snapshots a resource: each is requested once and then waited for. */
import { Injectable } from '@nestjs/common';
import type { Plan, Wait } from '@cumulet/common/reconcile/reconciler';
import type { ExistingScope, ResourceType } from '../../resource-types/resource-type.js';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type {
  ResourceAction,
  ResourceEvent,
  ResourceGoal,
} from '../../rows/stack-resource.states.js';
import { lookAgain, OVERDUE, resourcePhase, type Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';
import { Settling } from './settle.js';
import { SnapshotData } from './snapshot-data.js';
import { TypedFailure } from '../../resource-types/resource-type.errors.js';

export type OtherGoal = Exclude<ResourceGoal, 'applying' | 'removing'>;

interface Operation {
  readonly action: ResourceAction;
  readonly isSupported: (type: ResourceType) => boolean;
  readonly ask: (type: ResourceType, scope: ExistingScope, run: Run) => Promise<void>;
  readonly isDone: (type: ResourceType, scope: ExistingScope, run: Run) => Promise<boolean>;
}

@Injectable()
export class OtherGoals {
  readonly plans: Readonly<Record<OtherGoal, Plan<LoadedResource, ResourceEvent>>>;

  constructor(
    private readonly tools: ResourceTools,
    private readonly settling: Settling,
    private readonly snapshots: SnapshotData,
  ) {
    this.plans = {
      checking: this.planOf({
        action: 'CHECK',
        isSupported: (type) => type.read !== undefined || type.check !== undefined,
        async ask(type, scope, { row }) {
          if (type.check) return type.check(scope);
          if (type.read && !(await type.read(scope)))
            throw new TypedFailure(
              'NotFound',
              `The ${type.name} (${row.physicalId}) could not be found.`,
            );
        },
        isDone: async (type, scope) => (await type.isChecked?.(scope)) ?? true,
      }),
      suspending: this.planOf({
        action: 'SUSPEND',
        isSupported: (type) => type.suspend !== undefined,
        ask: async (type, scope) => type.suspend?.(scope),
        isDone: async (type, scope) => (await type.isSuspended?.(scope)) ?? true,
      }),
      resuming: this.planOf({
        action: 'RESUME',
        isSupported: (type) => type.resume !== undefined,
        ask: async (type, scope) => type.resume?.(scope),
        isDone: async (type, scope) => (await type.isResumed?.(scope)) ?? true,
      }),
      snapshotting: this.planOf({
        action: 'SNAPSHOT',
        isSupported: (type) => type.snapshot !== undefined,
        ask: async (type, scope, { ctx, row }) => {
          if ((await this.snapshots.find(ctx, row)) !== undefined) return;
          const mark = await this.snapshots.markOf(ctx, row);
          const data = (await type.snapshot?.(scope, mark)) ?? {};
          await this.snapshots.keep(ctx, row, type.name, data);
        },
        isDone: async (type, scope, { ctx, row }) => {
          const data = await this.snapshots.find(ctx, row);
          return data === undefined || ((await type.isSnapshot?.(scope, data)) ?? true);
        },
      }),
    };
  }

  private planOf(operation: Operation): Plan<LoadedResource, ResourceEvent> {
    return {
      phases: [
        resourcePhase('begin', (run) => this.begin(run, operation)),
        resourcePhase('ask', (run) => this.ask(run, operation)),
        resourcePhase('await', (run) => this.wait(run, operation)),
        resourcePhase('settle', (run) => this.settle(run, operation)),
      ],
      overdue: OVERDUE,
    };
  }

  private async begin({ ctx, row }: Run, { action, isSupported }: Operation): Promise<void> {
    if (row.action === action && row.status === 'IN_PROGRESS') return;
    if (!isSupported(this.tools.kindOf(row).type)) return;
    if (!this.isThere(row)) throw notMade(action, row);
    const isUsable = row.status === 'COMPLETE' || action === 'CHECK' || row.action === action;
    if (!isUsable) {
      const state = `('${row.action}', '${row.status}')`;
      throw new TypedFailure('Error', `State ${state} invalid for ${action.toLowerCase()}`);
    }
    const event = { action, status: 'IN_PROGRESS', reason: 'state changed' } as const;
    const { sealed, rows } = this.tools;
    await rows.begin(ctx, row, { ...event, properties: null }, sealed.seal({}));
  }

  private async ask(run: Run, { action, ask }: Operation): Promise<void> {
    const { ctx, row } = run;
    if (row.frozen === null || row.action !== action) return;
    await ask(this.tools.kindOf(row).type, this.scopeOf(run), run);
    await this.tools.rows.record(ctx, row, { frozen: null });
  }

  private async wait(run: Run, { action, isDone }: Operation): Promise<Wait | undefined> {
    const { row } = run;
    if (row.action !== action || row.status !== 'IN_PROGRESS') return undefined;
    return (await isDone(this.tools.kindOf(row).type, this.scopeOf(run), run))
      ? undefined
      : lookAgain(row);
  }

  private async settle({ ctx, row }: Run, { action, isSupported }: Operation): Promise<void> {
    if (!this.isThere(row)) return this.settling.settle(ctx, row, undefined);
    const reason = isSupported(this.tools.kindOf(row).type)
      ? 'state changed'
      : `${action} not supported for ${row.type}`;
    const event = { action, status: 'COMPLETE', reason, properties: null } as const;
    await this.settling.settle(ctx, row, event);
  }

  private isThere({ properties }: LoadedResource): boolean {
    return properties !== null;
  }

  private scopeOf({ ctx, row, signal }: Run): ExistingScope {
    return this.tools.existing(ctx, row, signal);
  }
}

/** In the words of Heat's `Resource.check`, and of its server's `handle_suspend`. */
function notMade(action: ResourceAction, { name }: LoadedResource): TypedFailure {
  if (action === 'CHECK') return new TypedFailure('Exception', `Resource ${name} not created yet.`);
  return new TypedFailure('Error', `Cannot ${action.toLowerCase()} ${name}, resource_id not set`);
}
