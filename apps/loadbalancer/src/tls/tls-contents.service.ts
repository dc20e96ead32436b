/** Reads the secrets of listeners and pools, as this service on behalf of their project. */
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Logger } from 'pino';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { LOGGER } from '@cumulet/common/service/tokens';
import { Feature } from '@cumulet/common/service/feature';
import type { ListenerTls, PemFile, PoolTls } from '../data-plane/balancer-spec.js';
import type { Listener } from '../tree/listener.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import { stays, type TreeRows } from '../tree/tree-rows.js';
import { CertificateExpiry } from './certificate-expiry.js';
import { TlsConsumer } from './tls-consumer.entity.js';
import { TlsConsumers, type Use } from './tls-consumers.js';
import { SECRETS, type Secrets, secretsProvider, TlsReader } from './tls-reader.js';
import { CertificateRetrievalExceptionError } from './tls.errors.js';

/** The references of a listener or pool, as clients give them. */
export interface TlsRefs {
  /** Containers, or secrets with PKCS12; the default first. */
  readonly bundles: readonly string[];
  /** A secret with the certificates that verify the other side. */
  readonly ca: string | null;
  /** A secret with that authority's revocation list. */
  readonly revocations: string | null;
}

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

/** References that `after` adds; a revocation list is checked together with its CA. */
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

/** By the IDs of listeners and pools. */
export interface TreeSecrets {
  readonly listeners: ReadonlyMap<string, ListenerTls>;
  readonly pools: ReadonlyMap<string, PoolTls>;
}

/** The secrets of one listener or pool, as files. */
interface Read {
  readonly bundles: readonly PemFile[];
  readonly ca: PemFile | null;
  readonly revocations: PemFile | null;
  readonly expiries: ReadonlyMap<string, Date>;
}

type Part = Listener | Pool;

@Injectable()
export class TlsContentsService {
  constructor(
    private readonly consumers: TlsConsumers,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SECRETS) private readonly secrets?: Secrets,
  ) {}

  /**
   * Validates new references before anything is written.
   * @param refs only the new ones
   * @throws CertificateRetrievalExceptionError, ValidationExceptionError, …: all 400, with the reason
   */
  async requireUsable(ctx: RequestContext, projectId: string, refs: TlsRefs): Promise<void> {
    await this.#read(this.#reader(ctx, projectId), refs);
  }

  /**
   * The secrets of a load balancer's listeners and pools, of which they become consumers.
   * @throws the same for secrets that have become unusable, UnavailableError if the service does not
   * answer
   */
  async read(ctx: RequestContext, rows: TreeRows): Promise<TreeSecrets> {
    const reader = this.#reader(ctx, rows.loadBalancer.projectId);
    const read = <P extends Part>(parts: readonly P[], refsOf: (part: P) => TlsRefs) =>
      Promise.all(
        stays(parts).map(async (one) => [one, await this.#read(reader, refsOf(one))] as const),
      );
    const ofListeners = await read(rows.listeners, refsOfListener);
    const ofPools = await read(
      rows.pools.filter(({ tlsEnabled }) => tlsEnabled),
      refsOfPool,
    );
    await this.consumers.register(ctx, [
      ...ofListeners.flatMap(([one, found]) => usesOf('listener', one, found)),
      ...ofPools.flatMap(([one, found]) => usesOf('pool', one, found)),
    ]);
    return {
      listeners: new Map(
        ofListeners
          .filter(([, { bundles }]) => bundles.length > 0)
          .map(([one, found]) => [one.id, listenerTls(one, found)]),
      ),
      pools: new Map(ofPools.map(([one, found]) => [one.id, poolTls(one, found)])),
    };
  }

  /**
   * Deregisters a load balancer's former secrets. It never fails: a sweep does the rest, and a
   * deletion does not wait.
   * @param loadBalancerId one that was applied, or will be deleted
   * @param isGone whether all its secrets are unused
   */
  async release(ctx: RequestContext, loadBalancerId: string, isGone: boolean): Promise<void> {
    await this.consumers.release(ctx, loadBalancerId, isGone).catch((error: unknown) => {
      this.logger.warn({ err: error, loadBalancerId }, 'could not tell which secrets are free');
    });
  }

  #reader(ctx: RequestContext, projectId: string): TlsReader | undefined {
    return this.secrets && new TlsReader(this.secrets, ctx, projectId);
  }

  /** @param reader undefined without a secrets service */
  async #read(reader: TlsReader | undefined, refs: TlsRefs): Promise<Read> {
    const all = [...refs.bundles, refs.ca, refs.revocations].filter((ref) => ref !== null);
    const [first] = all;
    if (first === undefined) return NOTHING;
    if (!reader)
      throw new CertificateRetrievalExceptionError(first, 'this cloud has no secrets service');
    const named = [...new Set(refs.bundles)];
    const [bundles, authority] = await Promise.all([
      Promise.all(named.map(async (ref) => [ref, await reader.bundle(ref)] as const)),
      refs.ca === null ? undefined : reader.authority(refs.ca),
    ]);
    const revocations =
      refs.revocations === null || !authority
        ? null
        : await reader.revocations(refs.revocations, authority.pem);
    return {
      bundles: bundles.map(([ref, { pem }]) => ({ name: nameOf('bundle', ref), pem })),
      ca: authority ? { name: nameOf('ca', refs.ca ?? ''), pem: authority.pem } : null,
      revocations:
        revocations === null
          ? null
          : { name: nameOf('crl', refs.revocations ?? ''), pem: revocations },
      expiries: new Map([
        ...bundles.map(([ref, { expiresAt }]) => [ref, expiresAt] as const),
        ...(authority ? [[refs.ca ?? '', authority.expiresAt] as const] : []),
      ]),
    };
  }
}

const NOTHING: Read = { bundles: [], ca: null, revocations: null, expiries: new Map() };

/** Secrets are immutable, so the file is named after the ID, the end of every reference. */
function nameOf(kind: string, ref: string): string {
  return `${kind}-${/([0-9a-f-]{36})\/?$/i.exec(ref)?.[1]?.toLowerCase() ?? ''}.pem`;
}

function usesOf(partType: Use['partType'], row: Part, { expiries }: Read): Use[] {
  const { bundles, ca, revocations } =
    partType === 'listener' ? refsOfListener(row as Listener) : refsOfPool(row as Pool);
  const refs = [...bundles, ca, revocations].filter((ref) => ref !== null);
  const { id: partId, loadBalancerId, projectId } = row;
  return [...new Set(refs)].map((ref) => ({
    partId,
    partType,
    loadBalancerId,
    projectId,
    ref,
    expiresAt: expiries.get(ref) ?? null,
  }));
}

function limitsOf({
  tlsCiphers,
  tlsVersions,
  alpnProtocols,
}: Part): Pick<ListenerTls, 'ciphers' | 'versions' | 'alpn'> {
  return { ciphers: tlsCiphers, versions: tlsVersions, alpn: alpnProtocols };
}

function listenerTls(row: Listener, { bundles, ca, revocations }: Read): ListenerTls {
  const { clientAuthentication: authentication, hstsMaxAge } = row;
  const isAsked = authentication === 'OPTIONAL' || authentication === 'MANDATORY';
  return {
    ...limitsOf(row),
    bundles,
    client: ca && isAsked ? { authentication, ca, revocations } : null,
    hsts:
      hstsMaxAge === null
        ? null
        : {
            maxAgeSeconds: hstsMaxAge,
            includeSubdomains: row.hstsIncludeSubdomains,
            preload: row.hstsPreload,
          },
  };
}

function poolTls(row: Pool, { bundles, ca, revocations }: Read): PoolTls {
  return { ...limitsOf(row), bundle: bundles[0] ?? null, ca, revocations };
}

@Feature({
  entities: [TlsConsumer],
  providers: [CertificateExpiry, secretsProvider, TlsConsumers, TlsContentsService],
})
export class TlsModule {}
