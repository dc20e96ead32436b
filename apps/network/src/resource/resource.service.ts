/**
 * The rules of every resource: visibility and permission, one transaction for all rows of a
 * request, quotas before rows, conditional changes, tags. Subclasses add the resource's own rules.
 */
import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { inProject, mayActOn, reachable } from '@cumulet/common/auth/project-access';
import type { ProjectId } from '@cumulet/common/context/ids';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Condition } from '@cumulet/common/tables/condition';
import type { PageOfRows, Table } from '@cumulet/common/tables/table';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { expectWithin } from './bounds.js';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { refuseUnprivileged } from '@cumulet/common/resources/privileges';
import { columnsOf, type Resource } from '@cumulet/common/resources/resource';
import { PolicyNotAuthorizedError } from '@cumulet/common/resources/resource.errors';
import { NetworkQuotas } from '../quotas/network-quotas.js';
import type { ResourceRow } from './resource.table.js';
import type { Standard } from './resource.js';
import { expectRevision } from './revision.js';

export abstract class ResourceService<Row extends ResourceRow, A extends Standard> {
  protected abstract readonly resource: Resource<A>;
  protected abstract readonly table: Table<Row>;

  @Inject(NetworkQuotas)
  protected readonly quotas: NetworkQuotas;

  /** The rows that the caller sees: by default, those of the caller's project. */
  protected visible(ctx: RequestContext): Condition[] {
    return reachable(ctx);
  }

  /** Inserts a row and all that belongs to it. @param tx in the project that will own it */
  protected make(tx: RequestContext, body: NewBody<A>): Promise<Row> {
    return this.table.insert(tx, this.newRow(tx, body));
  }

  /** Changes a row. @param row the present one, locked */
  protected change(tx: RequestContext, row: Row, body: ChangeBody<A>): Promise<Row> {
    return this.save(tx, row, this.columnsOf(body));
  }

  /** Deletes a row, or begins to. @param row the present one, locked */
  protected erase(tx: RequestContext, row: Row): Promise<void> {
    return this.table.delete(tx, row.id);
  }

  /** Locks what new rows need, in a fixed order for all requests. */
  protected prepare(_tx: RequestContext, _bodies: readonly NewBody<A>[]): Promise<void> {
    return Promise.resolve();
  }

  /** The quotas that new rows count against. @param count of rows in one project */
  protected claimed(_tx: RequestContext, count: number): Promise<Partial<Record<string, number>>> {
    return Promise.resolve({ [this.resource.singular]: count });
  }

  /** Whether the caller owns the network of a new or existing resource. */
  protected ownsParent(
    _ctx: RequestContext,
    _of: { readonly body: NewBody<A> } | { readonly row: Row },
  ): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * Whether the caller, who is neither administrator nor service, may change or delete it: by
   * default, if it is the owner.
   */
  protected mayChange(ctx: RequestContext, row: Row, _verb: 'update' | 'delete'): Promise<boolean> {
    return Promise.resolve(mayActOn(ctx, row.projectId));
  }

  list(ctx: RequestContext, query: Query): Promise<PageOfRows<Row>> {
    const page = pageOf<Row>(this.resource, query, ctx);
    const marker = page.marker === undefined || isUuid(page.marker) ? page.marker : NO_ID;
    return this.table.list(ctx, { ...page, marker, scope: this.visible(ctx) });
  }

  /** @throws the table's `missing` */
  async get(ctx: RequestContext, id: string): Promise<Row> {
    if (!isUuid(id)) throw this.table.missing(id);
    return this.table.get(ctx, id, this.visible(ctx));
  }

  create(ctx: RequestContext, bodies: readonly NewBody<A>[]): Promise<Row[]> {
    const owned = bodies.map((body) => ({ body, ctx: inProject(ctx, projectOf(body)) }));
    return inTransaction(ctx, async (tx) => {
      // Projects in a fixed order, so that concurrent requests do not deadlock.
      for (const [projectId, count] of countByProject(owned.map((one) => one.ctx.projectId)))
        // A service's own resources are exempt from quotas.
        if (!(ctx.isService && projectId === ctx.projectId))
          await this.quotas.claim(inProject(tx, projectId), await this.claimed(tx, count));
      if (bodies.length > 1) await this.prepare(tx, bodies);
      const rows: Row[] = [];
      for (const { body, ctx: own } of owned) {
        const ownTx = own.withManager(tx.manager);
        refuseUnprivileged(ctx, this.resource, 'create', body, await this.ownsParent(tx, { body }));
        rows.push(await this.make(ownTx, body));
      }
      return rows;
    });
  }

  update(ctx: RequestContext, id: string, body: ChangeBody<A>, revision?: number): Promise<Row> {
    return inTransaction(ctx, async (tx) => {
      const row = await this.lockOwn(tx, id, 'update', revision);
      refuseUnprivileged(ctx, this.resource, 'update', body, await this.ownsParent(tx, { row }));
      return Object.keys(body).length === 0 ? row : this.change(tx, row, body);
    });
  }

  remove(ctx: RequestContext, id: string, revision?: number): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      await this.erase(tx, await this.lockOwn(tx, id, 'delete', revision));
    });
  }

  /** @param next computes the new tags @throws BadRequestError for more than the bound */
  retag(
    ctx: RequestContext,
    id: string,
    next: (tags: readonly string[]) => readonly string[],
  ): Promise<readonly string[]> {
    return inTransaction(ctx, async (tx) => {
      const row = await this.lockOwn(tx, id, 'update');
      const tags = [...new Set(next(row.tags))];
      expectWithin('tags', tags.length, row.tags.length);
      await this.save(tx, row, { tags } as Partial<Row>);
      return tags;
    });
  }

  /**
   * Locks the row until the transaction ends.
   * @throws the table's `missing` if the caller does not see it
   * @throws PolicyNotAuthorizedError if it is only shared with the caller
   */
  protected async lockOwn(
    tx: RequestContext,
    id: string,
    verb: 'update' | 'delete',
    revision?: number,
  ): Promise<Row> {
    const seen = await this.get(tx, id);
    if (!(await this.mayChange(tx, seen, verb)))
      throw new PolicyNotAuthorizedError(`${verb}_${this.resource.singular}`);
    const row = await this.table.lock(tx, seen.id);
    expectRevision(row, revision);
    return row;
  }

  /** Updates columns and increments the revision. */
  protected save(tx: RequestContext, row: Row, change: Partial<Row>): Promise<Row> {
    const revisionNumber = row.revisionNumber + 1;
    return this.table.update(tx, row.id, { ...change, revisionNumber }, row);
  }

  /** A row of the body's attributes. @param tx in the project that will own it */
  protected newRow(tx: RequestContext, body: NewBody<A>): Partial<Row> {
    const own = { id: randomUUID(), projectId: tx.projectId } as Partial<Row>;
    return { ...this.columnsOf(body), ...own };
  }

  /** The columns of the body's attributes. */
  protected columnsOf(body: object): Partial<Row> {
    return columnsOf<Row>(this.resource, body);
  }
}

/** Matches no row; compared in place of IDs that are not UUIDs. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

function projectOf(body: object): string | undefined {
  return (body as { readonly projectId?: string }).projectId;
}

function countByProject(projects: readonly ProjectId[]): [ProjectId, number][] {
  return [...new Set(projects)]
    .sort()
    .map((project) => [project, projects.filter((one) => one === project).length]);
}
