/** From the rows of a load balancer to what OVN is asked for. Pure. What goes is left out. */
import type { BalancerListener, NewBalancer } from '@cumulet/clients/network/balancer-wire';
import type { Listener } from '../tree/listener.entity.js';
import type { Pool } from '../tree/pool.entity.js';
import { type TreeRows, stays } from '../tree/tree-rows.js';

/** Seconds for which a client stays with its member where its owner says nothing. Public source: Load Balancer API reference, `persistence_timeout`. */
const PERSISTENCE_SECONDS = 360;

/** @param rows of one whose port is there */
export function balancerOf(rows: TreeRows): NewBalancer {
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
