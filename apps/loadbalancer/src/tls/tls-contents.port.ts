/** What load balancers need of what the secrets service holds; tests replace it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ListenerTls, PoolTls } from '../data-plane/balancer-spec.js';
import type { Listener } from '../tree/listener.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import type { TreeRows } from '../tree/tree-rows.js';

/** What one listener or pool names, by addresses as clients give them. */
export interface TlsRefs {
  /** Keys with their certificates: containers, or secrets that hold PKCS12; the default first. */
  readonly bundles: readonly string[];
  /** A secret: certificates that the other side is checked against. */
  readonly ca: string | null;
  /** A secret: what that authority has revoked. */
  readonly revocations: string | null;
}

export interface TlsContents {
  /**
   * Judges what a listener or pool is to name, before anything is written.
   * @param refs only those that are new
   * @throws CertificateRetrievalExceptionError, ValidationExceptionError, …: all 400, with the reason
   */
  requireUsable(ctx: RequestContext, projectId: string, refs: TlsRefs): Promise<void>;

  /**
   * All that the listeners and pools of a load balancer name, and that stay; their owner is told at
   * the secrets that they are used.
   * @throws the same for what has become unusable, UnavailableError where the service is away
   */
  read(ctx: RequestContext, rows: TreeRows): Promise<TreeSecrets>;

  /**
   * Tells the secrets that a load balancer has used, and does no more, that they are free.
   * @param loadBalancerId one that has been applied, or is to be forgotten
   * @param isGone whether nothing of it uses any
   */
  release(ctx: RequestContext, loadBalancerId: string, isGone: boolean): Promise<void>;
}

export const TLS_CONTENTS = Symbol('tls-contents');

type ListenerFields = Pick<
  Listener,
  | 'defaultTlsContainerRef'
  | 'sniContainerRefs'
  | 'clientCaTlsContainerRef'
  | 'clientCrlContainerRef'
>;

export function refsOfListener(row: ListenerFields): TlsRefs {
  const { defaultTlsContainerRef, sniContainerRefs } = row;
  return {
    bundles: [
      ...(defaultTlsContainerRef === null ? [] : [defaultTlsContainerRef]),
      ...sniContainerRefs,
    ],
    ca: row.clientCaTlsContainerRef,
    revocations: row.clientCrlContainerRef,
  };
}

/** What `after` names anew; a list of revocations is judged by its authority. */
export function newRefs(before: TlsRefs, after: TlsRefs): TlsRefs {
  const isSame = before.ca === after.ca && before.revocations === after.revocations;
  return {
    bundles: after.bundles.filter((ref) => !before.bundles.includes(ref)),
    ca: isSame ? null : after.ca,
    revocations: isSame ? null : after.revocations,
  };
}

export function refsOfPool(
  row: Pick<Pool, 'tlsContainerRef' | 'caTlsContainerRef' | 'crlContainerRef'>,
): TlsRefs {
  return {
    bundles: row.tlsContainerRef === null ? [] : [row.tlsContainerRef],
    ca: row.caTlsContainerRef,
    revocations: row.crlContainerRef,
  };
}

/** What the secrets service holds of it, by the ids of listeners and pools. */
export interface TreeSecrets {
  readonly listeners: ReadonlyMap<string, ListenerTls>;
  readonly pools: ReadonlyMap<string, PoolTls>;
}
