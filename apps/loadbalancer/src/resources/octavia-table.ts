/** A table of one of Octavia's resources, whose rows clients name by UUIDs unless it says otherwise. */
import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table, type TableOptions } from '@cumulet/common/tables/table';
import type { EntityTarget } from 'typeorm';
import { NotFoundError } from './octavia.errors.js';

export class OctaviaTable<Row extends { readonly id: string }> extends Table<Row> {
  /** @param title what Octavia calls it in messages: `Load Balancer` */
  constructor(
    entity: EntityTarget<Row>,
    title: string,
    refusals: NonNullable<TableOptions<Row>['refusals']> = {},
  ) {
    super(entity, {
      missing: (key) => new NotFoundError(title, typeof key === 'string' ? key : ''),
      refusals,
    });
  }

  /**
   * The row that a path or a body names: what is no UUID cannot be compared with one.
   * @param scope of those that the caller sees
   * @throws NotFoundError
   */
  async named(
    ctx: RequestContext,
    id = '',
    scope: readonly Condition[] = reachable(ctx),
  ): Promise<Row> {
    if (!isUuid(id)) throw this.missing(id);
    return this.get(ctx, id, scope);
  }
}
