/**
 * What holds for every resource: who sees and changes it, one transaction for all that a request
 * creates, quotas before rows, conditional changes, tags. A resource extends it with its rules.
 */
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

  /** The rows that the caller sees: those of its project. */
  protected visible(ctx: RequestContext): Condition[] {
    return reachable(ctx);
  }

  /** Writes a new row, and whatever belongs to it. @param tx in the project whose it will be */
  protected abstract make(tx: RequestContext, body: NewBody<A>): Promise<Row>;
  /** Writes a change. @param row as it is, locked */
  protected abstract change(tx: RequestContext, row: Row, body: ChangeBody<A>): Promise<Row>;
  /** Removes a row, or begins to. @param row as it is, locked */
  protected abstract erase(tx: RequestContext, row: Row): Promise<void>;

  /** Takes what several new rows need, in one order for all requests. */
  protected prepare(_tx: RequestContext, _bodies: readonly NewBody<A>[]): Promise<void> {
    return Promise.resolve();
  }

  /** What new rows are held against. @param count of them, of one project */
  protected claimed(_tx: RequestContext, count: number): Promise<Partial<Record<string, number>>> {
    return Promise.resolve({ [this.resource.singular]: count });
  }

  /** Whether the caller owns the network that a resource is, or will be, on. */
  protected ownsParent(
    _ctx: RequestContext,
    _of: { readonly body: NewBody<A> } | { readonly row: Row },
  ): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Who may change or delete it, besides administrators and services: its owner. */
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

  /** All of them, or none. */
  create(ctx: RequestContext, bodies: readonly NewBody<A>[]): Promise<Row[]> {
    const owned = bodies.map((body) => ({ body, ctx: inProject(ctx, projectOf(body)) }));
    return inTransaction(ctx, async (tx) => {
      // By project, in one order: no two requests wait for each other's locks.
      for (const [projectId, count] of countByProject(owned.map((one) => one.ctx.projectId)))
        // What is a service's own is the cloud's, of which nobody else has less.
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

  /**
   * @param next of the tags that it has, those that it is to have
   * @throws BadRequestError for more than a resource may have
   */
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
   * The row, which nobody else changes before the transaction ends.
   * @throws the table's `missing` if the caller does not see it
   * @throws PolicyNotAuthorizedError if it is shared with the caller, who may not change it
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

  /** Writes columns, as the next revision. */
  protected save(tx: RequestContext, row: Row, change: Partial<Row>): Promise<Row> {
    const revisionNumber = row.revisionNumber + 1;
    return this.table.update(tx, row.id, { ...change, revisionNumber }, row);
  }

  /** The columns that the body's attributes stand for. */
  protected columnsOf(body: object): Partial<Row> {
    return columnsOf<Row>(this.resource, body);
  }
}

/** No row has it: what is not a UUID cannot be compared with one. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

function projectOf(body: object): string | undefined {
  return (body as { readonly projectId?: string }).projectId;
}

function countByProject(projects: readonly ProjectId[]): [ProjectId, number][] {
  return [...new Set(projects)]
    .sort()
    .map((project) => [project, projects.filter((one) => one === project).length]);
}
