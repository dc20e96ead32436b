/** Public source: magnum, "REST API Version History", 1.12. */
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { Controller, Injectable, Param, Patch } from '@nestjs/common';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { type ClusterId, ClusterRef } from '../clusters/cluster.resource.js';
import { clusters } from '../clusters/cluster.repository.js';
import { needsAgent } from '../clusters/needs-agent.js';
import { needsVersion, SINCE } from '../http/microversions.js';
import { beginWork } from '../work/begin-work.js';

@Injectable()
class CredentialsService {
  constructor(private readonly trusts: ClusterTrusts) {}

  /** Nodes get it with new certificates. @throws ClusterNotFoundError, ClusterBusyError */
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

@Controller('v1/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Patch(':cluster_ident')
  @Allow('member')
  @Operation('Replace the credential of a cluster', ClusterRef, { status: 202, errors: [406, 409] })
  async rotate(@Ctx() ctx: RequestContext, @Param('cluster_ident') ident: string): Promise<object> {
    needsVersion(ctx, SINCE.credentials, 'To replace the credential of a cluster');
    return { uuid: await this.credentials.rotate(ctx, ident) };
  }
}

@Feature({ controllers: [CredentialsController], providers: [CredentialsService] })
export class CredentialsModule {}
