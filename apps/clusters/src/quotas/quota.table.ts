import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { QuotaName } from './clusters-quotas.js';
import { Quota } from './quota.entity.js';
import { QuotaExistsError, UnknownQuotaError } from './quota.errors.js';

class QuotasTable extends Table<Quota> {
  /** The one of a project for a resource. */
  async of(
    ctx: RequestContext,
    projectId: string,
    resource: QuotaName,
  ): Promise<Quota | undefined> {
    const where = [equals('projectId', projectId), equals('resource', resource)];
    return (await this.select(ctx, where))[0];
  }
}

export const quotaRows = new QuotasTable(Quota, {
  missing: (key) => new UnknownQuotaError(String(rowOf(key).id ?? '')),
  touched: 'updatedAt',
  refusals: {
    quotas_resource_idx: ({ projectId = '', resource = '' }) =>
      new QuotaExistsError(projectId, resource),
  },
});
