/**
 * Trusts of the users who last changed clusters. Former trusts stay until the cluster is deleted:
 * trusts delegated from them, for its stack and for Kubernetes, end with them.
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
   * Gives a change a trust of the caller, unless the cluster has a valid one of the same user, or
   * the caller is an administrator of another project. The present trust may have ended: its user
   * may delete it, and a delegated one ends with its parent.
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
   * Gives a deletion a new trust, even one of an administrator of another project, since it must
   * not fail because a trust has ended. A caller who cannot create a trust uses the present one.
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

  /** Renews the credential of Kubernetes if the trust that it was delegated from has ended. */
  async #credentialOf(cluster: Cluster, isGiven: boolean): Promise<TrustColumns> {
    const { trustee } = secretsOf(this.sealed, cluster) ?? {};
    const { trustId, credentialWanted } = cluster;
    // A later generation is due anyway.
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

export function trustsOf({
  trustId,
  formerTrustIds,
}: Pick<Cluster, 'trustId' | 'formerTrustIds'>): readonly string[] {
  return trustId === null ? formerTrustIds : [...formerTrustIds, trustId];
}
