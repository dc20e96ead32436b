/**
 * Has OVN carry load balancers, by the network service. No host runs them, so any process may work on
 * any of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import type {
  Balancer,
  BalancerListener,
  NewBalancer,
} from '@cumulet/clients/network/balancer-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import {
  type BalancerStatistics,
  type MemberHealth,
  BalancerRefusedError,
  NO_TRAFFIC,
} from '../data-plane/data-plane.js';
import { BALANCERS, type Balancers } from '../network/networks.port.js';
import type { ProviderDriver } from '../providers/providers.js';
import type { Listener } from '../tree/listener.entity.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import { stays, treeRows, type TreeRows } from '../tree/tree-rows.js';
import { unsupportedByOvn } from './unsupported-by-ovn.js';

/** How soon, and how often, to look whether OVN has it. */
const LOOK = { ms: 25, times: 80 };
/** When to be asked again where it does not. */
const LATER_MS = 50;

const HEALTH: Readonly<Record<string, MemberHealth>> = {
  online: 'ONLINE',
  offline: 'ERROR',
  error: 'ERROR',
};

@Injectable()
export class OvnBalancers implements ProviderDriver<LoadBalancer> {
  constructor(@Inject(BALANCERS) private readonly balancers: Balancers) {}

  place(): Promise<void> {
    return Promise.resolve();
  }

  async apply({ ctx, row, signal }: Scope<LoadBalancer>): Promise<Wait | undefined> {
    const rows = await treeRows(ctx, row);
    const why = unsupportedByOvn(rows);
    if (why !== undefined) throw new BalancerRefusedError(`The provider ovn: ${why}`);
    const actor = asService(ctx);
    let found: Balancer | undefined = await this.balancers.putBalancer(actor, balancerOf(rows));
    for (let look = 0; look < LOOK.times && found?.status === 'BUILD'; look++) {
      await delay(LOOK.ms, undefined, { signal });
      found = await this.balancers.balancer(actor, row.id);
    }
    if (found?.status === 'ERROR')
      throw new BalancerRefusedError(found.statusReason ?? 'OVN gave no reason.');
    return found?.status === 'ACTIVE' ? undefined : { waitMs: LATER_MS };
  }

  remove({ ctx, row }: Scope<LoadBalancer>): Promise<void> {
    return this.balancers.deleteBalancer(asService(ctx), row.id);
  }

  /**
   * What is seen of all that OVN has, by the load balancer's id.
   * @param listenersOf a load balancer's, which OVN does not tell of
   */
  async statistics(
    ctx: RequestContext,
    listenersOf: (id: string) => readonly string[],
  ): Promise<ReadonlyMap<string, BalancerStatistics>> {
    const all = await this.balancers.balancers(asService(ctx));
    const carried = all.filter(({ status }) => status !== 'ERROR');
    return new Map(
      carried.map(({ id, members }) => {
        const health = [...members].map(
          ([member, status]) => [member, HEALTH[status] ?? 'NO_MONITOR'] as const,
        );
        // OVN counts nothing.
        const listeners = listenersOf(id).map((listener) => [listener, NO_TRAFFIC] as const);
        return [id, { listeners: new Map(listeners), members: new Map(health), checks: new Map() }];
      }),
    );
  }
}

/** Seconds for which a client stays with its member where its owner says nothing. Public source: Load Balancer API reference, `persistence_timeout`. */
const PERSISTENCE_SECONDS = 360;

/**
 * From the rows of a load balancer to what OVN is asked for. What goes is left out.
 * @param rows of one whose port is there
 */
function balancerOf(rows: TreeRows): NewBalancer {
  const { id, projectId, vipPortId, adminStateUp: isEnabled } = rows.loadBalancer;
  return {
    id,
    projectId,
    vipPortId: vipPortId ?? '',
    isEnabled,
    listeners: stays(rows.listeners)
      .filter(({ adminStateUp }) => adminStateUp)
      .map((listener) => listenerOf(listener, rows)),
  };
}

function listenerOf(listener: Listener, rows: TreeRows): BalancerListener {
  const { id, protocolPort: port, defaultPoolId } = listener;
  const pool = stays(rows.pools).find((one) => one.id === defaultPoolId && one.adminStateUp);
  return {
    id,
    port,
    protocol: listener.protocol.toLowerCase() as BalancerListener['protocol'],
    affinityTimeout: pool?.sessionPersistence
      ? (pool.sessionPersistence.persistence_timeout ?? PERSISTENCE_SECONDS)
      : null,
    check: pool ? checkOf(pool, rows) : null,
    members: stays(rows.members)
      .filter(({ poolId, adminStateUp }) => adminStateUp && poolId === pool?.id)
      .map((member) => ({
        id: member.id,
        address: member.address,
        port: member.protocolPort,
        subnetId: member.subnetId,
      })),
  };
}

function checkOf(pool: Pool, rows: TreeRows): BalancerListener['check'] {
  const monitor = stays(rows.healthMonitors).find(({ poolId }) => poolId === pool.id);
  if (!monitor?.adminStateUp) return null;
  return {
    interval: monitor.delay,
    timeout: monitor.timeout,
    successCount: monitor.maxRetries,
    failureCount: monitor.maxRetriesDown,
  };
}
