/** Public source: Container Infrastructure Management API reference, "Manage certificates for cluster". */
import { Injectable } from '@nestjs/common';
import { errorOf } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { inTransaction } from '@cumulet/common/database/transaction';
import { beginWork } from '../work/begin-work.js';
import type { Cluster } from '../clusters/cluster.entity.js';
import type { ClusterId } from '../clusters/cluster.resource.js';
import { ClusterNotFoundError, UnknownClusterError } from '../clusters/cluster.errors.js';
import { secretsOf } from '../clusters/cluster-secrets.js';
import { clusters } from '../clusters/cluster.repository.js';
import { needsAgent } from '../clusters/needs-agent.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import type { AuthorityKind } from '../pki/authority.js';
import type { CertifiedKey } from '../pki/certificates.js';
import { readSigningRequest } from '../pki/signing-request.js';
import { signRequest } from '../pki/sign-request.js';
import type { CaType, CertificateDto } from './certificate.dto.js';

/** The validity of Magnum's certificates. */
const DAYS = 5 * 365;

const AUTHORITY: Readonly<Record<CaType, AuthorityKind>> = {
  kubernetes: 'ca',
  kubelet: 'ca',
  etcd: 'etcdCa',
  front_proxy: 'frontProxyCa',
  'front-proxy': 'frontProxyCa',
};

/** A worker makes the authorities right after the cluster's row is written. */
export class AuthorityNotReadyError extends errorOf(
  'conflict',
  (id: string) => `Cluster ${id} has no certificate authority yet.`,
  { retryAfter: 1 },
) {}

export interface ClusterCertificate {
  readonly clusterId: ClusterId;
  readonly pem: string;
}

@Injectable()
export class CertificatesService {
  constructor(
    private readonly sealed: SealedJson,
    private readonly trusts: ClusterTrusts,
  ) {}

  /** @throws ClusterNotFoundError, AuthorityNotReadyError */
  async authority(ctx: RequestContext, ident: string, type: CaType): Promise<ClusterCertificate> {
    const cluster = await clusters.named(ctx, ident);
    return { clusterId: cluster.id, pem: this.#authority(cluster, type).certificatePem };
  }

  /** @throws UnknownClusterError, AuthorityNotReadyError, or an error of pki.errors.ts */
  async sign(ctx: RequestContext, dto: CertificateDto): Promise<ClusterCertificate> {
    const cluster = await this.#named(ctx, dto.cluster_uuid);
    const request = await readSigningRequest(dto.csr);
    const authority = this.#authority(cluster, dto.ca_cert_type ?? 'kubernetes');
    return { clusterId: cluster.id, pem: await signRequest(authority, request, { days: DAYS }) };
  }

  /**
   * Replaces the authorities and all nodes' certificates; what was signed before becomes invalid.
   * @throws ClusterNotFoundError, ClusterBusyError during other work
   */
  async rotate(ctx: RequestContext, ident: string): Promise<ClusterId> {
    const cluster = await clusters.named(ctx, ident);
    needsAgent(cluster, 'Replacing the certificate authority');
    await this.trusts.forChange(ctx, cluster, (columns) =>
      inTransaction(ctx, (tx) =>
        beginWork(tx, cluster, 'upgrade', {
          doing: 'Replacing the certificate authority of',
          set: { ...columns, pkiWanted: cluster.pkiWanted + 1 },
          groups: 'all',
        }),
      ),
    );
    return cluster.id;
  }

  #authority(cluster: Cluster, type: CaType): CertifiedKey {
    const secrets = secretsOf(this.sealed, cluster);
    if (!secrets) throw new AuthorityNotReadyError(cluster.id);
    return secrets.authorities[AUTHORITY[type]];
  }

  async #named(ctx: RequestContext, ident: string): Promise<Cluster> {
    try {
      return await clusters.named(ctx, ident);
    } catch (error) {
      if (error instanceof ClusterNotFoundError) throw new UnknownClusterError(ident);
      throw error;
    }
  }
}
