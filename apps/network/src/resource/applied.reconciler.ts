/**
 * Reconciles what the data plane is told as a whole (applied.states.ts): it is told, or let go of and
 * forgotten. A resource extends it with what it is to the data plane.
 */
import { Inject } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { phase } from '@cumulet/common/reconcile/reconciler';
import type { Phase, Plan, ReconciledRow, Reconciler } from '@cumulet/common/reconcile/reconciler';
import { equals } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import type { AppliedEvent, AppliedState, AppliedStates } from './applied.states.js';

export abstract class AppliedReconciler<
  Row extends ReconciledRow<AppliedState>,
> implements Reconciler<Row, AppliedState, AppliedEvent> {
  abstract readonly states: AppliedStates;
  protected abstract readonly table: Table<Row>;
  /** What it is, as phases name it: `Network`. */
  protected abstract readonly title: string;
  /** What its removal waits for. */
  protected readonly beforeRemoval: readonly Phase<Row>[] = [];

  constructor(@Inject(DATA_PLANE) protected readonly dataPlane: DataPlane) {}

  get plans(): Partial<Record<AppliedState, Plan<Row, AppliedEvent>>> {
    return {
      applying: {
        phases: [phase(`ensure${this.title}`, ({ ctx, row }) => this.ensure(ctx, row))],
        then: 'applied',
      },
      removing: {
        phases: [
          ...this.beforeRemoval,
          phase(`remove${this.title}`, ({ row }) => this.remove(row.id)),
          phase('forget', ({ ctx, row }) => this.forget(ctx, row)),
        ],
      },
    };
  }

  /** Tells the data plane all of it. */
  protected abstract ensure(ctx: RequestContext, row: Row): Promise<void>;
  /** Has the data plane let go of it. */
  protected abstract remove(id: string): Promise<void>;

  taskOf(): string {
    return this.states.resource;
  }

  load(ctx: RequestContext, id: string): Promise<Row | undefined> {
    return this.table.find(ctx, id);
  }

  private async forget(ctx: RequestContext, { id }: Row): Promise<void> {
    await this.table.deleteAll(ctx, [equals('id', id)]);
  }
}
