/** Load balancers that carry nothing. What a test chooses happens to them. */
import type { BalancerSpec, MemberSpec } from './balancer-spec.js';
import {
  NO_TRAFFIC,
  type BalancerStatistics,
  type MemberHealth,
  type TrafficStatistics,
  type DataPlane,
  type InventoryItem,
  type Place,
} from './data-plane.js';

export class SimulatedDataPlane implements DataPlane {
  readonly kind = 'simulated';
  /** What runs, by id. */
  readonly running = new Map<string, { readonly spec: BalancerSpec; readonly place: Place }>();
  /** Those of them whose processes have ended by themselves. */
  readonly ended = new Set<string>();
  /** By member, what it is seen as rather than well. */
  readonly health = new Map<string, MemberHealth>();
  /** By listener, what it has counted. */
  readonly traffic = new Map<string, TrafficStatistics>();
  /** Thrown by the next calls of `apply`, one each. */
  readonly failures: Error[] = [];
  /** Awaited by each `apply` before it does anything. */
  delay: () => Promise<void> = () => Promise.resolve();

  async apply(spec: BalancerSpec, place: Place): Promise<void> {
    await this.delay();
    const failure = this.failures.shift();
    if (failure) throw failure;
    this.running.set(spec.id, { spec, place });
    this.ended.delete(spec.id);
  }

  remove(id: string): Promise<void> {
    this.running.delete(id);
    this.ended.delete(id);
    return Promise.resolve();
  }

  inventory(): Promise<readonly InventoryItem[]> {
    const ids = [...this.running.keys()];
    return Promise.resolve(ids.map((id) => ({ id, isWhole: !this.ended.has(id) })));
  }

  statistics(): Promise<ReadonlyMap<string, BalancerStatistics>> {
    const alive = [...this.running].filter(([id]) => !this.ended.has(id));
    const all = alive.map(([id, { spec }]): [string, BalancerStatistics] => [id, this.#seen(spec)]);
    return Promise.resolve(new Map(all));
  }

  #seen({ listeners, pools }: BalancerSpec): BalancerStatistics {
    const healthOf = ({ id, enabled, weight }: MemberSpec, isChecked: boolean): MemberHealth => {
      if (!enabled) return 'OFFLINE';
      return (
        this.health.get(id) ?? (weight === 0 ? 'DRAINING' : isChecked ? 'ONLINE' : 'NO_MONITOR')
      );
    };
    return {
      listeners: new Map(listeners.map(({ id }) => [id, this.traffic.get(id) ?? NO_TRAFFIC])),
      checks: new Map(),
      members: new Map(
        pools.flatMap(({ members, monitor }) =>
          members.map((one) => [one.id, healthOf(one, monitor?.enabled === true)] as const),
        ),
      ),
    };
  }
}
