/**
 * The rules of every part of a load balancer: who may see and change it, that the whole tree is locked
 * first, that quotas are claimed before rows are written, and which ancestors are PENDING with it.
 */
import { Inject } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import type { Query } from '@cumulet/common/resources/list-query';
import { columnsOf, type Resource } from '@cumulet/common/resources/resource';
import type { Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { requireCarried } from '../ovn/unsupported-by-ovn.js';
import { LoadBalancerQuotas, type QuotaName } from '../quotas/load-balancer-quotas.js';
import { pageOfRows } from '../resources/octavia-query.js';
import type { OctaviaTable } from '../resources/octavia-table.js';
import { ValidationExceptionError } from '../resources/octavia.errors.js';
import type { Path, ResourceService } from '../resources/resource.controller.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { markDeleting, markUpdating, takeTree } from '../tree/take-tree.js';
import type { PartTable, PartColumns } from '../tree/tree.columns.js';

/** Units of quotas. */
export type Needs = Partial<Record<QuotaName, number>>;

/** The parts that are PENDING_UPDATE while one below them is created, changed or deleted. */
export type Ancestors = readonly (readonly [PartTable, readonly (string | null)[]])[];

export abstract class PartService<
  Row extends PartColumns,
  A extends object,
> implements ResourceService<Row, A> {
  protected abstract readonly resource: Resource<A>;
  protected abstract readonly table: OctaviaTable<Row>;
  protected abstract readonly kind: PartTable;
  protected abstract readonly quota: QuotaName;

  @Inject(LoadBalancerQuotas)
  protected readonly quotas: LoadBalancerQuotas;

  /**
   * Writes a new row, and whatever is nested in the body.
   * @param loadBalancer taken
   * @param path of the request, or what it would be of a part that is nested: its pool, say
   */
  abstract insertSubtree(
    tx: RequestContext,
    loadBalancer: LoadBalancer,
    body: NewBody<A>,
    path: Path,
  ): Promise<Row>;

  /**
   * The load balancer that a new one is for.
   * @throws DomainError if the body names nothing that the caller sees
   */
  protected abstract homeOf(ctx: RequestContext, body: NewBody<A>, path: Path): Promise<string>;

  /** The columns that a change writes, which are the body's unless there is more to it. */
  protected change(
    _tx: RequestContext,
    _row: Row,
    body: ChangeBody<A>,
    _loadBalancer: LoadBalancer,
  ): Promise<Partial<Row>> {
    return Promise.resolve(this.columnsOf(body));
  }

  /** Deletes its own parts, or refuses the deletion. @param row locked, in a locked tree */
  protected erase(_tx: RequestContext, _row: Row): Promise<void> {
    return Promise.resolve();
  }

  protected ancestors(_tx: RequestContext, _row: Row): Promise<Ancestors> {
    return Promise.resolve([]);
  }

  /** Restricts lists to the parent in the path. @throws NotFoundError if the caller does not see it */
  protected within(_ctx: RequestContext, _path: Path): Promise<Condition[]> {
    return Promise.resolve([]);
  }

  /** The quotas that a new one takes, with all that is nested in the body. */
  needs(_body: NewBody<A>): Needs {
    return { [this.quota]: 1 };
  }

  async list(ctx: RequestContext, query: Query, path: Path): Promise<PageOfRows<Row>> {
    const scope = [...reachable(ctx), ...(await this.within(ctx, path))];
    return pageOfRows(ctx, { resource: this.resource, table: this.table }, query, scope);
  }

  /** @throws NotFoundError */
  async get(ctx: RequestContext, id: string, path: Path = {}): Promise<Row> {
    const scope = [...reachable(ctx), ...(await this.within(ctx, path))];
    return this.table.named(ctx, id, scope);
  }

  create(ctx: RequestContext, body: NewBody<A>, path: Path = {}): Promise<Row> {
    return inTransaction(ctx, async (tx) => {
      const loadBalancer = await this.taken(tx, await this.homeOf(tx, body, path));
      refuseOtherProject(loadBalancer, body);
      await this.quotas.claim(tx, this.needs(body), loadBalancer.projectId);
      const row = await this.insertSubtree(tx, loadBalancer, body, path);
      await requireCarried(tx, loadBalancer);
      await this.markAncestors(tx, row);
      return this.table.get(tx, row.id);
    });
  }

  update(ctx: RequestContext, id: string, body: ChangeBody<A>, path: Path = {}): Promise<Row> {
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id, path);
      if (Object.keys(body).length === 0) return seen;
      const loadBalancer = await this.taken(tx, seen.loadBalancerId);
      const row = await this.table.lock(tx, seen.id);
      const columns = await this.change(tx, row, body, loadBalancer);
      const change = { ...columns, updatedAt: new Date() } as Partial<Row>;
      await this.table.update(tx, row.id, change, row);
      await requireCarried(tx, loadBalancer);
      await markUpdating(tx, this.kind, [row.id]);
      await this.markAncestors(tx, row);
      return this.table.get(tx, row.id);
    });
  }

  remove(ctx: RequestContext, id: string, path: Path = {}): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id, path);
      await this.taken(tx, seen.loadBalancerId);
      const row = await this.table.lock(tx, seen.id);
      await this.erase(tx, row);
      await markDeleting(tx, this.kind, [row.id]);
      await this.markAncestors(tx, row);
    });
  }

  /** The columns that the body's attributes stand for. */
  protected columnsOf(body: object): Partial<Row> {
    return columnsOf<Row>(this.resource, body);
  }

  /** The columns of a new part, besides those of its kind. */
  protected partOf({ id, projectId }: LoadBalancer): Pick<Row, 'projectId' | 'loadBalancerId'> {
    return { projectId, loadBalancerId: id };
  }

  /** The load balancer, of which nobody else changes anything before the transaction ends. */
  protected async taken(tx: RequestContext, id: string): Promise<LoadBalancer> {
    await loadBalancers.named(tx, id);
    await takeTree(tx, id);
    return loadBalancers.get(tx, id);
  }

  private async markAncestors(tx: RequestContext, row: Row): Promise<void> {
    for (const [table, ids] of await this.ancestors(tx, row)) await markUpdating(tx, table, ids);
  }
}

/** A part belongs to the project of its load balancer; the body may only repeat it. */
function refuseOtherProject({ id, projectId }: LoadBalancer, body: object): void {
  const { projectId: named } = body as { readonly projectId?: string | null };
  if (named != null && named !== projectId) {
    throw new ValidationExceptionError(
      `Load Balancer ${id} is of project ${projectId}, not of ${named}.`,
    );
  }
}
