/**
 * Reconciles resources that are applied to the data plane as a whole (applied.states.ts). A
 * subclass says how to apply and remove its resource.
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
  /** The name in phases, such as `Network`. */
  protected abstract readonly title: string;
  /** Phases that precede the removal. */
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

  /** Applies the resource completely. */
  protected abstract ensure(ctx: RequestContext, row: Row): Promise<void>;
  /** Removes the resource from the data plane. */
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
