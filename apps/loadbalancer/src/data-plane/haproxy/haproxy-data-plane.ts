/**
 * Load balancers on HAProxy: each has a folder and a process. A process reports its own
 * configuration, so nothing is remembered here, and a process that outlived the service is adopted.
 *
 * Always holds: HAProxy checks a configuration before anything changes; a running one continues if a
 * new one is refused.
 */
import { mkdir } from 'node:fs/promises';
import { KeyedLock } from '@cumulet/common/context/keyed-lock';
import type { BalancerSpec } from '../balancer-spec.js';
import {
  type BalancerStatistics,
  BalancerRefusedError,
  type DataPlane,
  type InventoryItem,
  type Place,
} from '../data-plane.js';
import { applyTo, type ProxyOptions } from './apply-balancer.js';
import { balancerStatisticsOf, isCurrent } from './observe-balancer.js';
import {
  balancerFolder,
  foldersIn,
  removeFolder,
  rootOf,
  siblingsOf,
  type BalancerFolder,
} from './process/balancer-folder.js';
import { endProcesses } from './process/find-processes.js';

/** Load balancers that are observed concurrently. */
const LOOKS = 16;

export class HaproxyDataPlane implements DataPlane {
  readonly kind = 'haproxy';
  /** The parent of the folders of all load balancers. */
  readonly root: string;
  readonly #turns = new KeyedLock();

  /**
   * @param dataDir an absolute path; other agents on the host have others
   * @param cloud the same for all agents that may take over from each other
   */
  constructor(
    dataDir: string,
    private readonly options: ProxyOptions,
    cloud = dataDir,
  ) {
    this.root = rootOf(dataDir, cloud, options.accountOf('') !== undefined);
  }

  async apply(spec: BalancerSpec, place: Place): Promise<void> {
    const unsupported = unsupportedIn(spec, this.options.programs.ping !== undefined);
    if (unsupported !== undefined) throw new BalancerRefusedError(unsupported);
    // Nothing may be awaited before the turn, so that calls run in their order.
    await this.#turns.run(spec.id, async () => {
      await mkdir(this.root, { recursive: true, mode: 0o711 });
      await this.#removeFormer(spec.id);
      await applyTo(this.#folder(spec.id), spec, place, this.options);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#turns.run(id, async () => {
      const folder = this.#folder(id);
      await endProcesses(folder);
      await removeFolder(folder);
    });
  }

  async inventory(): Promise<readonly InventoryItem[]> {
    return this.#ofAll(async (folder) => ({ id: folder.id, isWhole: await isCurrent(folder) }));
  }

  async statistics(): Promise<ReadonlyMap<string, BalancerStatistics>> {
    const all = await this.#ofAll(
      async (folder) => [folder.id, await balancerStatisticsOf(folder)] as const,
    );
    return new Map(
      all.flatMap(([id, statistics]) => (statistics ? [[id, statistics] as const] : [])),
    );
  }

  #folder(id: string): BalancerFolder {
    return balancerFolder(this.root, id);
  }

  /** Removes what a dead agent left on this host, because its HAProxy holds the addresses. */
  async #removeFormer(id: string): Promise<void> {
    for (const root of await siblingsOf(this.root)) {
      if (!(await foldersIn(root)).includes(id)) continue;
      const folder = balancerFolder(root, id);
      await endProcesses(folder);
      await removeFolder(folder);
    }
  }

  async #ofAll<T>(look: (folder: BalancerFolder) => Promise<T>): Promise<T[]> {
    const ids = await foldersIn(this.root);
    const seen: T[] = [];
    const looking = Array.from({ length: LOOKS }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop())
        seen.push(await look(this.#folder(id)));
    });
    await Promise.all(looking);
    return seen;
  }
}

const PROTOCOLS = new Set(['UDP', 'SCTP']);
const MONITORS = new Set(['UDP-CONNECT', 'SCTP']);

/**
 * HAProxy does not carry UDP. Validation has refused it with the same words.
 * @param canPing whether members can be pinged on this host
 * @returns why it cannot run, as a sentence; undefined if it can
 */
function unsupportedIn({ listeners, pools }: BalancerSpec, canPing: boolean): string | undefined {
  const listener = listeners.find(({ protocol }) => PROTOCOLS.has(protocol));
  if (listener) return sentence('Listener', listener.id, `the protocol ${listener.protocol}`);
  const pool = pools.find(({ protocol }) => PROTOCOLS.has(protocol));
  if (pool) return sentence('Pool', pool.id, `the protocol ${pool.protocol}`);
  const monitor = pools
    .flatMap((one) => one.monitor ?? [])
    .find(({ type }) => MONITORS.has(type) || (type === 'PING' && !canPing));
  return monitor && sentence('Health monitor', monitor.id, `the type ${monitor.type}`);
}

function sentence(part: string, id: string, has: string): string {
  return `${part} ${id} has ${has}, which the provider haproxy does not support.`;
}
