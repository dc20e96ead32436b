/** What of a cluster is secret, in one sealed column. */
import type { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { createAuthorities, type Authorities } from '../pki/authority.js';
import { createServiceAccountKey } from '../pki/keys.js';
import type { Cluster } from './cluster.entity.js';

/** The user as whom Kubernetes asks the platform for what it needs. */
export interface Trustee {
  readonly userId: string;
  readonly password: string;
  readonly trustId: string;
  /** The cluster's, of which that was made, and with which it ends. */
  readonly parentTrustId: string | null;
  /** Which of the cluster's users it is, the first being 1. */
  readonly generation: number;
}

export interface ClusterSecrets {
  readonly authorities: Authorities;
  /** PEM. */
  readonly serviceAccountKey: string;
  readonly trustee: Trustee | null;
}

export async function newSecrets(): Promise<ClusterSecrets> {
  const [authorities, serviceAccountKey] = await Promise.all([
    createAuthorities(),
    createServiceAccountKey(),
  ]);
  return { authorities, serviceAccountKey, trustee: null };
}

/** @returns undefined until they are made */
export function secretsOf(
  sealed: SealedJson,
  { secrets }: Pick<Cluster, 'secrets'>,
): ClusterSecrets | undefined {
  return sealed.openIfAny<ClusterSecrets | undefined>(secrets, undefined);
}
