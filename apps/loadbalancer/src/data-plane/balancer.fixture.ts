/** Load balancers for tests: each part with what it has by default, and anything else on top. */
import type {
  BalancerSpec,
  ListenerSpec,
  MemberSpec,
  MonitorSpec,
  PoolSpec,
  RuleSpec,
} from './balancer-spec.js';

export function listenerSpec(fields: Partial<ListenerSpec> = {}): ListenerSpec {
  return {
    id: 'listener-1',
    enabled: true,
    protocol: 'HTTP',
    port: 80,
    connectionLimit: null,
    timeouts: { clientData: 50_000, memberConnect: 5000, memberData: 50_000, tcpInspect: 0 },
    allowedCidrs: [],
    insertHeaders: [],
    defaultPoolId: 'pool-1',
    policies: [],
    tls: null,
    ...fields,
  };
}

export function poolSpec(fields: Partial<PoolSpec> = {}): PoolSpec {
  return {
    id: 'pool-1',
    enabled: true,
    protocol: 'HTTP',
    algorithm: 'ROUND_ROBIN',
    persistence: null,
    monitor: null,
    tls: null,
    members: [memberSpec()],
    ...fields,
  };
}

export function memberSpec(fields: Partial<MemberSpec> = {}): MemberSpec {
  return {
    id: 'member-1',
    enabled: true,
    address: '192.0.2.10',
    port: 8080,
    weight: 1,
    backup: false,
    monitorAddress: null,
    monitorPort: null,
    ...fields,
  };
}

export function monitorSpec(fields: Partial<MonitorSpec> = {}): MonitorSpec {
  return {
    id: 'monitor-1',
    enabled: true,
    type: 'HTTP',
    delaySeconds: 5,
    timeoutSeconds: 3,
    rise: 2,
    fall: 3,
    http: { method: 'GET', path: '/', expectedCodes: '200', version: 1.0, domain: null },
    ...fields,
  };
}

export function ruleSpec(fields: Partial<RuleSpec> = {}): RuleSpec {
  return {
    id: 'rule-1',
    enabled: true,
    type: 'PATH',
    compare: 'STARTS_WITH',
    key: null,
    value: '/api',
    invert: false,
    ...fields,
  };
}

export function balancerSpec(fields: Partial<BalancerSpec> = {}): BalancerSpec {
  return {
    id: 'balancer-1',
    enabled: true,
    addresses: ['127.0.0.1'],
    listeners: [listenerSpec()],
    pools: [poolSpec()],
    ...fields,
  };
}
