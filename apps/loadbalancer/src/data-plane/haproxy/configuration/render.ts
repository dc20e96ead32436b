/**
 * A load balancer as the files that HAProxy runs by. Pure: the same load balancer and host give the
 * same bytes. What is disabled is left out, but for members, whom HAProxy keeps out of use.
 *
 * Always holds: files are named within the folder that HAProxy starts in.
 */
import { createHash } from 'node:crypto';
import type { BalancerSpec, ListenerSpec, PemFile, PoolSpec } from '../../balancer-spec.js';
import { backend, backendName, isPinged, isRemembering, PEERS } from './backend.js';
import { certificateListOf, frontend } from './frontend.js';
import * as words from './words.js';
import { line, name, number, section, type FileText, type Line } from './words.js';

/** What the host adds to every load balancer. */
export interface ProxyHost {
  /** Connections at once, of all listeners together. */
  readonly maxConnections: number;
  readonly threads: number;
  /** The program that pings a member, for health monitors that do. */
  readonly ping: string;
  /** How the load balancer's process and its successor find each other, with a name of their own. */
  readonly peer: { readonly name: string; readonly address: string; readonly port: number };
}

/** In the folder of the files. */
export const CONFIGURATION = 'haproxy.cfg';
/** In the folder that HAProxy starts in. */
export const SERVER_STATES = 'server-states';

/** How long connections last that were there before a reload. */
const LAST_CONNECTIONS = '1h';
/** How many processes before the present one may still have connections. */
const PREDECESSORS = 20;

/**
 * What lets a process run programs, and these have the capabilities that their files do: ping(8) its
 * own. Whoever took such a process over could do what every user of the host can, so only those have
 * it that ping.
 */
const PROGRAMS = [line`external-check`, line`insecure-fork-wanted`, line`insecure-setuid-wanted`];

/** Contents by name, in the folder `FILES`. */
export type ProxyFiles = ReadonlyMap<string, FileText>;

/**
 * @param fingerprint what the running process says of itself: which configuration it has
 * @throws UnspeakableWordError for values that validation must have refused before
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

/** The pools that traffic can get to, once for each listener through which it does. */
export function usedPools(spec: BalancerSpec): { backend: string; pool: PoolSpec }[] {
  return usedListeners(spec).flatMap(({ listener, pools }) =>
    pools.map((pool) => ({ backend: backendName(pool, listener), pool })),
  );
}

function usedListeners(spec: BalancerSpec): { listener: ListenerSpec; pools: PoolSpec[] }[] {
  const listeners = spec.enabled ? spec.listeners.filter(({ enabled }) => enabled) : [];
  return listeners.map((listener) => ({ listener, pools: poolsOf(spec, listener) }));
}

/** The pools that a listener can send to, each once; those in use alone. */
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
      // A process that may open fewer files than that has fewer connections, rather than none.
      line`no strict-limits`,
      line`nbthread ${number(threads)}`,
      // Members that are down stay so across a reload, rather than get traffic until checked.
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
    // What clients were stuck to is handed from each process to its successor.
    ...(pools.some(isRemembering)
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

/** A host as a load balancer has it whose flavor limits it: with no more connections than it allows. */
export function limited(host: ProxyHost, { limits }: BalancerSpec): ProxyHost {
  const { connections = host.maxConnections, threads = host.threads } = limits ?? {};
  return { ...host, maxConnections: Math.min(connections, host.maxConnections), threads };
}

/**
 * Which configuration a HAProxy runs by, in a few characters: what it says of itself, so that nobody
 * has to remember it. Two load balancers have the same one if commands on the admin socket alone get
 * a process from one to the other (`runtime/server-states.ts`).
 */
export function fingerprintOf(spec: BalancerSpec, host: ProxyHost): string {
  const hash = createHash('sha256');
  for (const [name, text] of render(settled(spec), host, '')) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex').slice(0, 32);
}

/** Without what commands can change. */
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
