/**
 * Creates a resource, or updates or replaces it to match its definition: work that was begun is
 * finished (pending-requests.ts); otherwise the next step is decided and recorded (beginning.ts), and then
 * requested; once the service is done, the row settles and the resources that wait for it continue.
 *
 * Always holds: the values of a creation or change are recorded before the request and sent again
 * after a crash, even if the definition has changed since: only then is it known what exists.
 */
import { Injectable } from '@nestjs/common';
import type { Plan, Wait } from '@cumulet/common/reconcile/reconciler';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import type { ResourceEvent } from '../../rows/stack-resource.states.js';
import { Beginning } from './beginning.js';
import { PendingRequests } from './pending-requests.js';
import { HookStops } from './hooks.js';
import { lookAgain, OVERDUE, resourcePhase, type Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';
import { Settling } from './settle.js';
import { TypedFailure } from '../../resource-types/resource-type.errors.js';

@Injectable()
export class Applying {
  readonly plan: Plan<LoadedResource, ResourceEvent> = {
    phases: [
      resourcePhase('finish', (run) => this.pending.finish(run)),
      resourcePhase('begin', (run) => this.beginning.begin(run)),
      resourcePhase('ask', (run) => this.pending.finish(run)),
      resourcePhase('await', (run) => this.wait(run)),
      resourcePhase('settle', (run) => this.settle(run)),
    ],
    overdue: OVERDUE,
  };

  constructor(
    private readonly pending: PendingRequests,
    private readonly beginning: Beginning,
    private readonly tools: ResourceTools,
    private readonly settling: Settling,
    private readonly hooks: HookStops,
  ) {}

  private async wait(run: Run): Promise<Wait | undefined> {
    if (run.row.status !== 'IN_PROGRESS') return undefined;
    return (await this.isDone(run)) ? undefined : lookAgain(run.row);
  }

  private async isDone({ ctx, row, signal }: Run): Promise<boolean> {
    const { type } = this.tools.wantedKindOf(row);
    const scope = this.tools.existing(ctx, row, signal);
    switch (row.action) {
      case 'ADOPT':
        if (type.isNested) return (await type.isCreated?.(scope)) ?? true;
        if (type.read && !(await type.read(scope)))
          throw new TypedFailure(
            'NotFound',
            `The ${type.name} (${row.physicalId}) could not be found.`,
          );
        return true;
      case 'CREATE':
        return (await type.isCreated?.(scope)) ?? true;
      default:
        return (await type.isUpdated?.(scope)) ?? true;
    }
  }

  private async settle(run: Run): Promise<Wait | undefined> {
    const { ctx, row, signal } = run;
    const { tools } = this;
    const { definition, type } = tools.wantedKindOf(row);
    const isDone = row.status === 'IN_PROGRESS';
    if (isDone) {
      const hook = row.action === 'UPDATE' ? 'post-update' : 'post-create';
      const stop = await this.hooks.stop(run, definition, hook);
      if (stop) return stop;
    }
    const scope = tools.existing(ctx, row, signal);
    const { sealed } = tools;
    const attributes =
      row.asked.length === 0 ? null : await tools.attributesOf(type, scope, row.asked);
    const reference = type.referenceOf?.({ ...scope.row, physicalId: row.physicalId });
    const { action } = row;
    const event = { action, status: 'COMPLETE', reason: 'state changed' } as const;
    await this.settling.settle(
      ctx,
      row,
      isDone ? { ...event, properties: sealed.seal(scope.properties) } : undefined,
      {
        attributes: attributes && sealed.seal(attributes),
        reference: reference === undefined ? null : sealed.seal(reference),
        formerDefinition: null,
      },
    );
    return undefined;
  }
}
