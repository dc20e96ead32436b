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
import {
  type BalancerFigures,
  type MemberHealth,
  BalancerRefusedError,
} from '../data-plane/data-plane.js';
import { BALANCERS, type Balancers } from '../network/networks.port.js';
import type { Listener } from '../tree/listener.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import { stays, type TreeRows } from '../tree/tree-rows.js';
import { unsupportedByOvn } from './unsupported-by-ovn.js';

/** How soon, and how often, to look whether OVN has it. */
const LOOK = { ms: 25, times: 80 };

const HEALTH: Readonly<Record<string, MemberHealth>> = {
  online: 'ONLINE',
  offline: 'ERROR',
  error: 'ERROR',
};

/** OVN counts nothing. */
const NOTHING = {
  bytesIn: 0,
  bytesOut: 0,
  activeConnections: 0,
  totalConnections: 0,
  requestErrors: 0,
};

@Injectable()
export class OvnBalancers {
  constructor(@Inject(BALANCERS) private readonly balancers: Balancers) {}

  /**
   * Makes it be as the rows say.
   * @returns whether OVN has it by now; if not, to be asked again
   * @throws BalancerRefusedError if OVN cannot have it like this
   */
  async apply(ctx: RequestContext, rows: TreeRows, signal?: AbortSignal): Promise<boolean> {
    const why = unsupportedByOvn(rows);
    if (why !== undefined) throw new BalancerRefusedError(`The provider ovn: ${why}`);
    const actor = asService(ctx);
    let found: Balancer | undefined = await this.balancers.putBalancer(actor, balancerOf(rows));
    for (let look = 0; look < LOOK.times && found?.status === 'BUILD'; look++) {
      await delay(LOOK.ms, undefined, signal ? { signal } : {});
      found = await this.balancers.balancer(actor, rows.loadBalancer.id);
    }
    if (found?.status === 'ERROR')
      throw new BalancerRefusedError(found.statusReason ?? 'OVN gave no reason.');
    return found?.status === 'ACTIVE';
  }

  /** Ends it. Does nothing if there is none. */
  remove(ctx: RequestContext, id: string): Promise<void> {
    return this.balancers.deleteBalancer(asService(ctx), id);
  }

  /**
   * What is seen of all that OVN has, by the load balancer's id.
   * @param listenersOf a load balancer's, which OVN does not tell of
   */
  async figures(
    ctx: RequestContext,
    listenersOf: (id: string) => readonly string[],
  ): Promise<ReadonlyMap<string, BalancerFigures>> {
    const all = await this.balancers.balancers(asService(ctx));
    const carried = all.filter(({ status }) => status !== 'ERROR');
    return new Map(
      carried.map(({ id, members }) => {
        const health = [...members].map(
          ([member, status]) => [member, HEALTH[status] ?? 'NO_MONITOR'] as const,
        );
        const listeners = listenersOf(id).map((listener) => [listener, NOTHING] as const);
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
