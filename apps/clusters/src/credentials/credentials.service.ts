/** The user as whom Kubernetes asks the platform: another password and another trust, of who asks. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { beginWork } from '../work/begin-work.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { clusters } from '../clusters/cluster.table.js';
import { needsAgent } from '../clusters/needs-agent.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';

@Injectable()
export class CredentialsService {
  constructor(private readonly trusts: ClusterTrusts) {}

  /** Nodes are told with new certificates. @throws ClusterNotFoundError, ClusterBusyError */
  async rotate(ctx: RequestContext, ident: string): Promise<ClusterId> {
    const cluster = await clusters.named(ctx, ident);
    needsAgent(cluster, 'Replacing the credential');
    await this.trusts.forDelete(ctx, cluster, (columns) =>
      inTransaction(ctx, (tx) =>
        beginWork(tx, cluster, 'upgrade', {
          doing: 'Replacing the credential of',
          set: { ...columns, credentialWanted: cluster.credentialWanted + 1 },
          groups: 'all',
        }),
      ),
    );
    return cluster.id;
  }
}
