/**
 * Renders a load balancer to HAProxy's files. Pure: the same input gives the same bytes. Disabled
 * parts are left out, except for members, which HAProxy keeps in maintenance.
 *
 * Always holds: paths are relative to the folder that HAProxy starts in.
 */
import { createHash } from 'node:crypto';
import type { BalancerSpec, ListenerSpec, PemFile, PoolSpec } from '../../balancer-spec.js';
import { backend, backendName, isPinged, hasStickTable, PEERS } from './backend.js';
import { certificateListOf, frontend } from './frontend.js';
import * as words from './words.js';
import { line, name, number, section, type FileText, type Line } from './words.js';

/** The host's part of every configuration. */
export interface ProxyHost {
  /** Concurrent connections, over all listeners. */
  readonly maxConnections: number;
  readonly threads: number;
  /** The program that pings members for health monitors. */
  readonly ping: string;
  /** The address at which a process and its successor find each other. */
  readonly peer: { readonly name: string; readonly address: string; readonly port: number };
}

/** In the folder of the files. */
export const CONFIGURATION = 'haproxy.cfg';
/** In the folder that HAProxy starts in. */
export const SERVER_STATES = 'server-states';

/** How long connections outlive a reload. */
const LAST_CONNECTIONS = '1h';
/** Former processes that may still have connections. */
const PREDECESSORS = 20;

/**
 * Lets a process run programs with their file capabilities, as ping(8) needs. Whoever took over such
 * a process could do what every user of the host can, so only load balancers that ping have it.
 */
const PROGRAMS = [line`external-check`, line`insecure-fork-wanted`, line`insecure-setuid-wanted`];

/** Contents by name, in the folder `FILES`. */
export type ProxyFiles = ReadonlyMap<string, FileText>;

/**
 * @param fingerprint by which the running process identifies its configuration
 * @throws UnquotableWordError for values that validation should have refused
 */
export function render(spec: BalancerSpec, host: ProxyHost, fingerprint: string): ProxyFiles {
  const used = usedListeners(spec);
  const sections = [
    ...used.map(({ listener, pools }) => {
      const ids = new Map(pools.map((pool) => [pool.id, backendName(pool, listener)]));
      return frontend(spec, listener, (id) => ids.get(id));
    }),
    ...used.flatMap(({ listener, pools }) =>
      pools.map((pool) => backend(pool, listener, host.ping)),
    ),
  ];
  const pools = used.flatMap((one) => one.pools);
  const all = [...common(pools, limited(host, spec), fingerprint), ...sections];
  return new Map<string, FileText>([
    [CONFIGURATION, words.configuration(all)],
    ...used.flatMap((one) => pemFiles(one.listener, one.pools)),
  ]);
}

/** The pools that traffic can reach, once for each listener. */
export function usedPools(spec: BalancerSpec): { backend: string; pool: PoolSpec }[] {
  return usedListeners(spec).flatMap(({ listener, pools }) =>
    pools.map((pool) => ({ backend: backendName(pool, listener), pool })),
  );
}

function usedListeners(spec: BalancerSpec): { listener: ListenerSpec; pools: PoolSpec[] }[] {
  const listeners = spec.enabled ? spec.listeners.filter(({ enabled }) => enabled) : [];
  return listeners.map((listener) => ({ listener, pools: poolsOf(spec, listener) }));
}

/** The pools in use that a listener can send to, each once. */
function poolsOf({ pools }: BalancerSpec, listener: ListenerSpec): PoolSpec[] {
  const redirects = listener.policies.flatMap(({ enabled, action }) =>
    enabled && action.type === 'REDIRECT_TO_POOL' ? [action.poolId] : [],
  );
  const wanted = new Set([listener.defaultPoolId, ...redirects]);
  return pools.filter(({ id, enabled }) => enabled && wanted.has(id));
}

function common(pools: readonly PoolSpec[], host: ProxyHost, fingerprint: string): Line[][] {
  const { maxConnections, threads, peer } = host;
  return [
    [
      section`global`,
      line`description ${words.word(fingerprint)}`,
      line`localpeer ${name(peer.name)}`,
      line`maxconn ${number(maxConnections)}`,
      // With a lower limit of open files, a process has fewer connections instead of failing.
      line`no strict-limits`,
      line`nbthread ${number(threads)}`,
      // Members that are down stay down across a reload instead of getting traffic until they are
      // checked.
      line`server-state-file ${name(SERVER_STATES)}`,
      line`hard-stop-after ${name(LAST_CONNECTIONS)}`,
      line`mworker-max-reloads ${number(PREDECESSORS)}`,
      ...(pools.some(isPinged) ? PROGRAMS : []),
      line`tune.ssl.default-dh-param 2048`,
    ],
    [
      section`defaults`,
      line`load-server-state-from-file global`,
      line`timeout connect 5s`,
      line`timeout client 50s`,
      line`timeout server 50s`,
      line`retries 3`,
      line`option redispatch`,
    ],
    // Stick tables are handed from each process to its successor.
    ...(pools.some(hasStickTable)
      ? [
          [
            section`peers ${name(PEERS)}`,
            line`peer ${name(peer.name)} ${words.endpoint(peer.address, peer.port)}`,
          ],
        ]
      : []),
  ];
}

function pemFiles(listener: ListenerSpec, pools: readonly PoolSpec[]): [string, FileText][] {
  const { tls } = listener;
  const lists: [string, FileText][] = tls
    ? [[certificateListOf(listener), words.certificateList(tls.bundles.map((one) => one.name))]]
    : [];
  const files: (PemFile | null | undefined)[] = [
    ...(tls ? [...tls.bundles, tls.client?.ca, tls.client?.revocations] : []),
    ...pools.flatMap((pool) => [pool.tls?.bundle, pool.tls?.ca, pool.tls?.revocations]),
  ];
  return [
    ...lists,
    ...files.flatMap((one) => (one ? [[one.name, words.pem(one.pem)] as [string, FileText]] : [])),
  ];
}

/** Reduces the host's connections to the limit of the load balancer's flavor. */
export function limited(host: ProxyHost, { limits }: BalancerSpec): ProxyHost {
  const { connections = host.maxConnections, threads = host.threads } = limits ?? {};
  return { ...host, maxConnections: Math.min(connections, host.maxConnections), threads };
}

/**
 * Identifies a configuration, so that a running process can report its own. Load balancers share a
 * fingerprint if commands alone turn one into the other (`runtime/server-states.ts`).
 */
export function fingerprintOf(spec: BalancerSpec, host: ProxyHost): string {
  const hash = createHash('sha256');
  for (const [name, text] of render(settled(spec), host, '')) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex').slice(0, 32);
}

/** Without the settings that commands can change. */
function settled(spec: BalancerSpec): BalancerSpec {
  const pools = spec.pools.map((pool) => ({
    ...pool,
    members: pool.members.map((member) => ({
      ...member,
      address: '0.0.0.0',
      port: 0,
      weight: 1,
      enabled: true,
    })),
  }));
  return { ...spec, pools };
}
