/**
 * Options that OVN does not support, by their names in the API. Public source:
 * ovn-octavia-provider, `driver.py`; Octavia's provider feature matrix.
 */
import { parseIp } from '@cumulet/common/addresses/ip-address';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { driverOf, OVN } from '../providers/providers.js';
import { ProviderUnsupportedOptionError } from '../resources/octavia.errors.js';
import type { HealthMonitor } from '../tree/health-monitor.resource.js';
import type { Listener } from '../tree/listener.entity.js';
import { addressesOf, type LoadBalancer } from '../tree/load-balancer.entity.js';
import type { Member } from '../tree/member.resource.js';
import type { Pool } from '../tree/pool.entity.js';
import { stays, type TreeRows, treeRows } from '../tree/tree-rows.js';

/** By what the client calls it, whether a row asks for more than there is. */
type Table<Row> = Readonly<Record<string, (row: Row) => boolean>>;

const PROTOCOLS: readonly string[] = ['TCP', 'UDP', 'SCTP'];
/** The type of health monitor that OVN supports, by the protocol of the pool. */
const MONITORS: Readonly<Record<string, string>> = { TCP: 'TCP', UDP: 'UDP-CONNECT' };

type VipFields = Pick<LoadBalancer, 'vipQosPolicyId' | 'vipSgIds' | 'vipVnicType'>;

const LOAD_BALANCER: Table<VipFields> = {
  vip_qos_policy_id: ({ vipQosPolicyId }) => vipQosPolicyId !== null,
  vip_sg_ids: ({ vipSgIds }) => vipSgIds.length > 0,
  vip_vnic_type: ({ vipVnicType }) => vipVnicType !== 'normal',
};

const LISTENER: Table<Listener> = {
  protocol: ({ protocol }) => !PROTOCOLS.includes(protocol),
  connection_limit: ({ connectionLimit }) => connectionLimit >= 0,
  insert_headers: ({ insertHeaders }) => Object.keys(insertHeaders).length > 0,
  allowed_cidrs: ({ allowedCidrs }) => allowedCidrs.length > 0,
  timeout_client_data: (one) => one.timeoutClientData !== 50_000,
  timeout_member_connect: (one) => one.timeoutMemberConnect !== 5_000,
  timeout_member_data: (one) => one.timeoutMemberData !== 50_000,
  timeout_tcp_inspect: (one) => one.timeoutTcpInspect !== 0,
};

const POOL: Table<Pool> = {
  protocol: ({ protocol }) => !PROTOCOLS.includes(protocol),
  lb_algorithm: ({ lbAlgorithm }) => lbAlgorithm !== 'SOURCE_IP_PORT',
  session_persistence: ({ sessionPersistence: one }) => one !== null && !isCarried(one),
  tls_enabled: ({ tlsEnabled }) => tlsEnabled,
};

const MEMBER: Table<Member> = {
  weight: ({ weight }) => weight !== 1,
  backup: ({ backup }) => backup,
  monitor_address: ({ monitorAddress }) => monitorAddress !== null,
  monitor_port: ({ monitorPort }) => monitorPort !== null,
};

function isCarried(one: NonNullable<Pool['sessionPersistence']>): boolean {
  const granularity = one.persistence_granularity;
  return one.type === 'SOURCE_IP' && (granularity === null || granularity === '255.255.255.255');
}

/** @returns why OVN cannot carry it, as a sentence; undefined if it can */
export function unsupportedByOvn(rows: TreeRows): string | undefined {
  const { loadBalancer } = rows;
  const policy = stays(rows.l7Policies)[0];
  return (
    unsupportedVip(loadBalancer) ??
    firstOf('listener', stays(rows.listeners), LISTENER) ??
    firstOf('pool', stays(rows.pools), POOL) ??
    firstOf('member', stays(rows.members), MEMBER) ??
    (policy && `L7 policies, such as ${policy.id}, are not supported.`) ??
    unsupportedMonitor(rows) ??
    mixedVersions(rows)
  );
}

/** The same of a load balancer by itself. */
function unsupportedVip(row: VipFields): string | undefined {
  const name = nameIn(LOAD_BALANCER, row);
  return name && `${name} is not supported.`;
}

function firstOf<Row extends { readonly id: string }>(
  kind: string,
  rows: readonly Row[],
  table: Table<Row>,
): string | undefined {
  for (const row of rows) {
    const name = nameIn(table, row);
    if (name === undefined) continue;
    const value = (row as Readonly<Record<string, unknown>>)[camelCase(name)];
    return `${name} ${JSON.stringify(value)} of ${kind} ${row.id} is not supported.`;
  }
  return undefined;
}

function nameIn<Row>(table: Table<Row>, row: Row): string | undefined {
  return Object.keys(table).find((name) => table[name]?.(row));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A check is made by the protocol that the pool has. */
function unsupportedMonitor({ healthMonitors, pools }: TreeRows): string | undefined {
  const isOdd = ({ poolId, type }: HealthMonitor): boolean =>
    MONITORS[pools.find(({ id }) => id === poolId)?.protocol ?? ''] !== type;
  const odd = stays(healthMonitors).find(isOdd);
  return (
    odd &&
    `type ${JSON.stringify(odd.type)} of health monitor ${odd.id} is not supported; supported: TCP of TCP pools, UDP-CONNECT of UDP pools.`
  );
}

/** Addresses are translated, but not from one version to the other. */
function mixedVersions({ loadBalancer, members }: TreeRows): string | undefined {
  const vips = addressesOf(loadBalancer);
  if (vips.includes(null)) return undefined;
  const versions = vips.map((one) => parseIp(one ?? '')?.version);
  const odd = stays(members).find(({ address }) => !versions.includes(parseIp(address)?.version));
  return (
    odd &&
    `address ${odd.address} of member ${odd.id} is of another IP version than the VIP, which is not supported.`
  );
}

/**
 * Judges a tree as the transaction has made it.
 * @throws ProviderUnsupportedOptionError naming what its provider does not carry out
 */
export async function requireCarried(
  tx: RequestContext,
  loadBalancer: LoadBalancer,
): Promise<void> {
  if (driverOf(loadBalancer) !== 'ovn') return;
  const why = unsupportedByOvn(await treeRows(tx, loadBalancer));
  if (why !== undefined) throw new ProviderUnsupportedOptionError(OVN, why);
}

/** The same of a load balancer without its parts. @throws ProviderUnsupportedOptionError */
export function requireCarriedVip(row: LoadBalancer): void {
  const why = driverOf(row) === 'ovn' ? unsupportedVip(row) : undefined;
  if (why !== undefined) throw new ProviderUnsupportedOptionError(OVN, why);
}
