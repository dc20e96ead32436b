import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Cluster } from './cluster.entity.js';
import { AmbiguousClusterError, ClusterNotFoundError } from './cluster.errors.js';

class Clusters extends Table<Cluster> {
  /** @throws ClusterNotFoundError, AmbiguousClusterError */
  async named(ctx: RequestContext, ident: string): Promise<Cluster> {
    const by = equals(isUuid(ident) ? 'id' : 'name', ident);
    const [found, another] = await this.select(ctx, [by, ...reachable(ctx)], 'LIMIT 2');
    if (!found) throw new ClusterNotFoundError(ident);
    if (another) throw new AmbiguousClusterError(ident);
    return found;
  }
}

export const clusters = new Clusters(Cluster, {
  missing: (key) => new ClusterNotFoundError(String(rowOf(key).id ?? '')),
  // Deleting a template checks its clusters' rows. It would wait for a locked one whose change
  // waits for a quota, held by a request that creates a cluster of that template.
  isReferredWhileLocked: true,
});
