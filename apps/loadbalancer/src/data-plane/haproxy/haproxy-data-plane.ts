/**
 * Load balancers on HAProxy: a folder and a process of its own for each. Which configuration a
 * process has it says itself, so nothing is remembered here, and one that outlived its service is
 * adopted.
 *
 * Always holds: a configuration is checked by HAProxy before anything changes; what runs goes on
 * where a new one is refused.
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
import { balancerStatisticsOf, isWhole } from './observe-balancer.js';
import {
  balancerFolder,
  foldersIn,
  removeFolder,
  rootOf,
  siblingsOf,
  type BalancerFolder,
} from './process/balancer-folder.js';
import { endProcesses } from './process/find-processes.js';

/** How many load balancers are looked at at the same time. */
const LOOKS = 16;

export class HaproxyDataPlane implements DataPlane {
  readonly kind = 'haproxy';
  /** The root of the folders of all load balancers. */
  readonly root: string;
  readonly #turns = new KeyedLock();

  /**
   * @param dataDir an absolute path; another agent's load balancers have another
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
    // Nothing is waited for before its turn is taken: calls are carried out as they came.
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
    return this.#ofAll(async (folder) => ({ id: folder.id, isWhole: await isWhole(folder) }));
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

  /** What an agent has left on this machine that was dead: its HAProxy has the addresses. */
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
 * HAProxy does not carry datagrams. Validation refuses them before, by the same words.
 * @param canPing whether members can be pinged here
 * @returns what of it cannot run, as a sentence; undefined if all can
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
