/**
 * Leave to act for whoever last changed a cluster. Former trusts stay until the cluster is gone: what
 * they were passed on for, its stack and what runs within it, ends with them.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { LOGGER } from '@cumulet/common/service/tokens';
import { NewTrusts } from '@cumulet/common/trusts/new-trusts';
import { TrustAuthority } from '@cumulet/common/trusts/trust-ports';
import type { Logger } from 'pino';
import type { Cluster } from './cluster.entity.js';

export type TrustColumns = Partial<Pick<Cluster, 'trustId' | 'trustorId'>>;

@Injectable()
export class ClusterTrusts extends NewTrusts {
  constructor(authority: TrustAuthority, @Inject(LOGGER) logger: Pick<Logger, 'warn'>) {
    super(authority, logger);
  }

  /** For a change: the leave of whoever asks, unless it is given already, or is not theirs to give. */
  async forChange<T>(
    ctx: RequestContext,
    cluster: Cluster,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    const isOfOthers = ctx.projectId !== cluster.projectId;
    if (cluster.trustId !== null && (isOfOthers || cluster.trustorId === ctx.userId))
      return work({});
    return this.#replaced(ctx, work);
  }

  /**
   * For the end, which must not fail because a leave has: always a new one, of an administrator of
   * another project, too. Who may give none goes on by that which there is.
   */
  async forDelete<T>(
    ctx: RequestContext,
    cluster: Cluster,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    if (cluster.trustId !== null && ctx.projectId !== cluster.projectId) return work({});
    const begun = { is: false };
    try {
      return await this.#replaced(ctx, (columns) => {
        begun.is = true;
        return work(columns);
      });
    } catch (error) {
      if (begun.is || !(error instanceof ForbiddenError)) throw error;
      return work({});
    }
  }

  #replaced<T>(ctx: RequestContext, work: (columns: TrustColumns) => Promise<T>): Promise<T> {
    return this.withNew(ctx, (trustId) => work({ trustId, trustorId: ctx.userId }));
  }
}

/** All that a cluster has. */
export function trustsOf({
  trustId,
  formerTrustIds,
}: Pick<Cluster, 'trustId' | 'formerTrustIds'>): readonly string[] {
  return trustId === null ? formerTrustIds : [...formerTrustIds, trustId];
}
