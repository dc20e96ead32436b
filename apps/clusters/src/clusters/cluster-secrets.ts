/** A cluster's secrets, in one sealed column. */
import type { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { createAuthorities, type Authorities } from '../pki/authority.js';
import { createServiceAccountKey } from '../pki/keys.js';
import type { Cluster } from './cluster.entity.js';

/** The user that Kubernetes acts as on the platform. */
export interface Trustee {
  readonly userId: string;
  readonly password: string;
  readonly trustId: string;
  /** The cluster's trust, from which `trustId` was delegated, and with which it ends. */
  readonly parentTrustId: string | null;
  /** The serial number of the cluster's user, from 1. */
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

/** @returns undefined until they are generated */
export function secretsOf(
  sealed: SealedJson,
  { secrets }: Pick<Cluster, 'secrets'>,
): ClusterSecrets | undefined {
  return sealed.openIfAny<ClusterSecrets | undefined>(secrets, undefined);
}
