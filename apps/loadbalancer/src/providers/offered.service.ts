/** Resources that administrators offer to everybody; their rows belong to no project. */
import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import type { Query } from '@cumulet/common/resources/list-query';
import { columnsOf, type Resource } from '@cumulet/common/resources/resource';
import type { PageOfRows, Table } from '@cumulet/common/tables/table';
import { pageOfRows } from '../resources/octavia-query.js';
import { NotFoundError, ObjectInUseError } from '../resources/octavia.errors.js';
import type { ResourceService } from '../resources/resource.controller.js';
import { type Capabilities, readData } from './capabilities.js';
import { type Provider, Providers } from './providers.js';

export abstract class OfferedService<
  Row extends { readonly id: string },
  A extends object,
> implements ResourceService<Row, A> {
  protected abstract readonly resource: Resource<A>;
  protected abstract readonly table: Table<Row>;
  /** As Octavia calls it in messages: `Flavor profile`. */
  protected abstract readonly title: string;

  /** Whether a row may have it. */
  protected isId(id: string): boolean {
    return isUuid(id);
  }

  /**
   * Refuses what a row cannot be.
   * @param next the columns that it gets
   * @param before as it is, locked, if it is there
   */
  protected check(_tx: RequestContext, _next: Partial<Row>, _before?: Row): Promise<void> {
    return Promise.resolve();
  }

  list(ctx: RequestContext, query: Query): Promise<PageOfRows<Row>> {
    const { resource, table } = this;
    return pageOfRows(ctx, { resource, table, isId: (id) => this.isId(id) }, query, []);
  }

  /** @throws NotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Row> {
    if (!this.isId(id)) throw new NotFoundError(this.title, id);
    return this.table.get(ctx, id);
  }

  create(ctx: RequestContext, body: NewBody<A>): Promise<Row> {
    const columns = columnsOf<Row>(this.resource, body);
    return inTransaction(ctx, async (tx) => {
      await this.check(tx, columns);
      return this.table.insert(tx, { id: randomUUID(), ...columns });
    });
  }

  update(ctx: RequestContext, id: string, body: ChangeBody<A>): Promise<Row> {
    return inTransaction(ctx, async (tx) => {
      await this.get(tx, id);
      const before = await this.table.lock(tx, id);
      const columns = columnsOf<Row>(this.resource, body);
      await this.check(tx, columns, before);
      return this.table.update(tx, id, columns, before);
    });
  }

  /** @throws ObjectInUseError while anything refers to it */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.get(ctx, id);
    await this.table.delete(ctx, id);
  }
}

interface Profile {
  readonly id: string;
  readonly providerName: string;
}

/**
 * Profiles: what a provider is told of load balancers of a flavor, or of a zone. What they say stays
 * while any flavor or zone has them, so that it holds of every load balancer alike.
 */
export abstract class ProfileService<Row extends Profile, A extends object> extends OfferedService<
  Row,
  A
> {
  /** The data's wire name (`flavor_data`) and column (`flavorData`). */
  protected abstract readonly option: string;
  protected abstract readonly data: keyof Row & string;
  protected abstract capabilitiesOf(provider: Provider): Capabilities;
  /** Whether anything has the profile. */
  protected abstract isInUse(tx: RequestContext, id: string): Promise<boolean>;

  @Inject(Providers)
  private readonly providers: Providers;

  protected override async check(
    tx: RequestContext,
    next: Partial<Row>,
    before?: Row,
  ): Promise<void> {
    const row = { ...before, ...next };
    if (before?.providerName === row.providerName && before?.[this.data] === row[this.data]) return;
    if (before && (await this.isInUse(tx, before.id)))
      throw new ObjectInUseError(this.title, before.id);
    const provider = await this.providers.get(tx, row.providerName ?? '');
    readData(provider.name, this.capabilitiesOf(provider), this.option, row[this.data] as string);
  }
}
