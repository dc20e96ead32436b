/** From the rows of a load balancer to what a data plane is told. Pure. What goes is left out. */
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import type {
  Algorithm,
  BalancerLimits,
  BalancerSpec,
  InsertedHeader,
  ListenerProtocol,
  ListenerSpec,
  MemberSpec,
  MonitorSpec,
  MonitorType,
  PolicyAction,
  PolicySpec,
  PoolProtocol,
  PoolSpec,
  RuleSpec,
  SessionPersistence,
} from '../data-plane/balancer-spec.js';
import type { HealthMonitor } from '../tree/health-monitor.entity.js';
import type { L7Policy } from '../tree/l7-policy.entity.js';
import type { L7Rule } from '../tree/l7-rule.entity.js';
import type { Listener } from '../tree/listener.entity.js';
import type { Member } from '../tree/member.entity.js';
import type { Pool, SessionPersistenceFields } from '../tree/pool.entity.js';
import type { HaproxyFlavor } from '../providers/capabilities.js';
import { type TreeRows, stays } from '../tree/tree-rows.js';
import { type TreeSecrets } from '../tls/tls-contents.port.js';

export function specOf(rows: TreeRows, secrets: TreeSecrets): BalancerSpec {
  const { loadBalancer } = rows;
  const { id, adminStateUp, vipAddress, additionalVips } = loadBalancer;
  const addresses = [vipAddress, ...additionalVips.map((vip) => vip.ip_address)];
  return {
    id,
    enabled: adminStateUp,
    addresses: addresses.filter((one) => one !== null),
    listeners: stays(rows.listeners).map((one) => listenerSpec(one, rows, secrets)),
    pools: stays(rows.pools).map((one) => poolSpec(one, rows, secrets)),
    limits: limitsOf(rows.flavor),
  };
}

function limitsOf({ connection_limit: connections, threads }: HaproxyFlavor): BalancerLimits {
  return {
    ...(connections === undefined ? {} : { connections }),
    ...(threads === undefined ? {} : { threads }),
  };
}

function listenerSpec(row: Listener, rows: TreeRows, { listeners }: TreeSecrets): ListenerSpec {
  const policies = stays(rows.l7Policies).filter(({ listenerId }) => listenerId === row.id);
  const headers = Object.entries(row.insertHeaders).filter(([, is]) => is.toLowerCase() === 'true');
  const { defaultPoolId } = row;
  return {
    id: row.id,
    enabled: row.adminStateUp,
    protocol: row.protocol as ListenerProtocol,
    port: row.protocolPort,
    connectionLimit: row.connectionLimit < 0 ? null : row.connectionLimit,
    timeouts: {
      clientData: row.timeoutClientData,
      memberConnect: row.timeoutMemberConnect,
      memberData: row.timeoutMemberData,
      tcpInspect: row.timeoutTcpInspect,
    },
    allowedCidrs: row.allowedCidrs,
    insertHeaders: headers.map(([header]) => header as InsertedHeader),
    defaultPoolId: stays(rows.pools).some(({ id }) => id === defaultPoolId) ? defaultPoolId : null,
    policies: policies.map((policy) => policySpec(policy, rows)),
    tls: listeners.get(row.id) ?? null,
  };
}

function policySpec(row: L7Policy, { l7Rules }: TreeRows): PolicySpec {
  const rules = stays(l7Rules).filter(({ l7PolicyId }) => l7PolicyId === row.id);
  return {
    id: row.id,
    enabled: row.adminStateUp,
    action: actionOf(row),
    rules: rules.map(ruleSpec),
  };
}

function actionOf(row: L7Policy): PolicyAction {
  const code = row.redirectHttpCode ?? 302;
  switch (row.action) {
    case 'REDIRECT_TO_POOL':
      return { type: row.action, poolId: row.redirectPoolId ?? '' };
    case 'REDIRECT_TO_URL':
      return { type: row.action, url: row.redirectUrl ?? '', code };
    case 'REDIRECT_PREFIX':
      return { type: row.action, url: row.redirectPrefix ?? '', code };
    default:
      return { type: 'REJECT' };
  }
}

function ruleSpec(row: L7Rule): RuleSpec {
  return {
    id: row.id,
    enabled: row.adminStateUp,
    type: row.type as RuleSpec['type'],
    compare: row.compareType as RuleSpec['compare'],
    key: row.key,
    value: valueOf(row),
    invert: row.invert,
  };
}

/** A value with blanks is given between quotes, which are no part of it (RFC 7230, `quoted-string`). */
function valueOf({ type, compareType, value }: L7Rule): string {
  const isPlain = compareType === 'REGEX' || !WITH_QUOTES.includes(type);
  return isPlain ? value : (/^"(.*)"$/.exec(value)?.[1] ?? value);
}

const WITH_QUOTES = ['HOST_NAME', 'PATH', 'FILE_TYPE', 'HEADER'];

function poolSpec(row: Pool, rows: TreeRows, { pools }: TreeSecrets): PoolSpec {
  const members = stays(rows.members).filter(({ poolId }) => poolId === row.id);
  const monitor = stays(rows.healthMonitors).find(({ poolId }) => poolId === row.id);
  return {
    id: row.id,
    enabled: row.adminStateUp,
    protocol: row.protocol as PoolProtocol,
    algorithm: row.lbAlgorithm as Algorithm,
    persistence: persistenceOf(row.sessionPersistence),
    monitor: monitor ? monitorSpec(monitor) : null,
    tls: pools.get(row.id) ?? null,
    members: members.map(memberSpec),
  };
}

function persistenceOf(fields: SessionPersistenceFields | null): SessionPersistence | null {
  switch (fields?.type) {
    case 'SOURCE_IP':
    case 'HTTP_COOKIE':
      return { type: fields.type };
    case 'APP_COOKIE':
      return { type: fields.type, cookie: fields.cookie_name ?? '' };
    default:
      return null;
  }
}

function memberSpec(row: Member): MemberSpec {
  return {
    id: row.id,
    enabled: row.adminStateUp,
    address: canonicalIp(row.address) ?? row.address,
    port: row.protocolPort,
    weight: row.weight,
    backup: row.backup,
    monitorAddress: row.monitorAddress && (canonicalIp(row.monitorAddress) ?? null),
    monitorPort: row.monitorPort,
  };
}

function monitorSpec(row: HealthMonitor): MonitorSpec {
  const isHttp = row.type === 'HTTP' || row.type === 'HTTPS';
  return {
    id: row.id,
    enabled: row.adminStateUp,
    type: row.type as MonitorType,
    delaySeconds: row.delay,
    timeoutSeconds: row.timeout,
    rise: row.maxRetries,
    fall: row.maxRetriesDown,
    http: isHttp
      ? {
          method: row.httpMethod ?? 'GET',
          path: row.urlPath ?? '/',
          expectedCodes: row.expectedCodes ?? '200',
          version: row.httpVersion === 1.1 ? 1.1 : 1.0,
          domain: row.domainName,
        }
      : null,
  };
}
