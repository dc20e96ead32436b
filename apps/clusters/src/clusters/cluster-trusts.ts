/**
 * Leave to act for whoever last changed a cluster. Former trusts stay until the cluster is gone: what
 * they were passed on for, its stack and what runs within it, ends with them.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { LOGGER } from '@cumulet/common/service/tokens';
import { NewTrusts } from '@cumulet/common/trusts/new-trusts';
import { TrustAuthority } from '@cumulet/common/trusts/trust-ports';
import type { Logger } from 'pino';
import type { Cluster } from './cluster.entity.js';
import { secretsOf } from './cluster-secrets.js';

export type TrustColumns = Partial<Pick<Cluster, 'trustId' | 'trustorId' | 'credentialWanted'>>;

@Injectable()
export class ClusterTrusts extends NewTrusts {
  constructor(
    authority: TrustAuthority,
    @Inject(LOGGER) logger: Pick<Logger, 'warn'>,
    private readonly sealed: SealedJson,
  ) {
    super(authority, logger);
  }

  /**
   * For a change: the leave of whoever asks, unless it is given still, or is not theirs to give. It may
   * have ended meanwhile: its user may delete it, and one that was itself passed on ends with its parent.
   */
  async forChange<T>(
    ctx: RequestContext,
    cluster: Cluster,
    work: (columns: TrustColumns) => Promise<T>,
  ): Promise<T> {
    if (cluster.trustId !== null && ctx.projectId !== cluster.projectId) return work({});
    const isGiven = cluster.trustorId === ctx.userId && (await this.#isValid(cluster.trustId));
    const credential = await this.#credentialOf(cluster, isGiven);
    if (isGiven) return work(credential);
    return this.#replaced(ctx, (columns) => work({ ...columns, ...credential }));
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

  /** Kubernetes gets another one where that which it has ended with the trust that it was made of. */
  async #credentialOf(cluster: Cluster, isGiven: boolean): Promise<TrustColumns> {
    const { trustee } = secretsOf(this.sealed, cluster) ?? {};
    const { trustId, credentialWanted } = cluster;
    // One of a later generation is to be made anyway.
    if (trustee?.generation !== credentialWanted) return {};
    const isSame = isGiven && trustee.parentTrustId === trustId;
    if (isSame || (await this.#isValid(trustee.parentTrustId))) return {};
    return { credentialWanted: credentialWanted + 1 };
  }

  async #isValid(trustId: string | null): Promise<boolean> {
    return trustId !== null && (await this.authority.isTrustValid(trustId));
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
