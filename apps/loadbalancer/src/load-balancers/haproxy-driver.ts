/**
 * Load balancers of the provider `haproxy`: each is on a host, whose data plane is told what the rows
 * say.
 */
import { Inject, Injectable } from '@nestjs/common';
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Scope, Wait } from '@cumulet/common/reconcile/reconciler';
import { CONFIG } from '@cumulet/common/service/tokens';
import { amend, RowChangedError } from '@cumulet/common/states/transition';
import type { LoadBalancerConfig } from '../config.js';
import type {
  BalancerLimits,
  BalancerSpec,
  InsertedHeader,
  ListenerSpec,
  MemberSpec,
  MonitorSpec,
  PolicyAction,
  PolicySpec,
  PoolSpec,
  RuleSpec,
  SessionPersistence,
} from '../data-plane/balancer-spec.js';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import { Hosts } from '../hosts/hosts.js';
import type { HaproxyFlavor } from '../providers/capabilities.js';
import type { ProviderDriver } from '../providers/providers.js';
import { TlsContentsService, type TreeSecrets } from '../tls/tls-contents.service.js';
import type { HealthMonitor } from '../tree/health-monitor.resource.js';
import { hasInstance } from '../tree/instance.resource.js';
import type { L7Policy } from '../tree/l7-policy.entity.js';
import type { L7Rule } from '../tree/l7-rule.resource.js';
import type { Listener } from '../tree/listener.entity.js';
import { addressesOf, type LoadBalancer } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import type { Member } from '../tree/member.resource.js';
import type { Pool, SessionPersistenceFields } from '../tree/pool.entity.js';
import { nudgeLoadBalancer } from '../tree/take-tree.js';
import { stays, treeRows, type TreeRows } from '../tree/tree-rows.js';
import { VipsService } from '../vip/vips.service.js';

/** How soon to look again whether the network has the addresses on the host. */
const BOUND_MS = 50;

@Injectable()
export class HaproxyDriver implements ProviderDriver<LoadBalancer> {
  constructor(
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
    @Inject(DATA_PLANE) private readonly dataPlane: DataPlane,
    private readonly hosts: Hosts,
    private readonly vips: VipsService,
    private readonly tls: TlsContentsService,
  ) {}

  async place({ ctx, row }: Scope<LoadBalancer>): Promise<void> {
    const { id, generation } = row;
    const host = row.host ?? (await this.hosts.choose(ctx, row));
    if (row.host === null)
      await amend(ctx, loadBalancerStates, id, { only: { generation, host: null }, set: { host } });
    await this.#requireHere(ctx, { id, host });
  }

  async apply({ ctx, row }: Scope<LoadBalancer>): Promise<Wait | undefined> {
    const place = await this.vips.ensureBound(ctx, row);
    if (!place) return { waitMs: BOUND_MS };
    // Before anything ends: what cannot be read keeps nothing from running on.
    const rows = await treeRows(ctx, row);
    const spec = specOf(rows, await this.tls.read(ctx, rows));
    // What a failover is to replace goes, and what another host had taken over from this one.
    if (row.state !== 'pending_create' && !(await hasInstance(ctx, row)))
      await this.dataPlane.remove(row.id);
    await this.dataPlane.apply(spec, place);
    return undefined;
  }

  async remove({ ctx, row }: Scope<LoadBalancer>): Promise<void> {
    await this.#requireHere(ctx, row);
    await this.dataPlane.remove(row.id);
  }

  /** @throws RowChangedError where another host goes on with it, which is nudged */
  async #requireHere(ctx: RequestContext, one: Pick<LoadBalancer, 'id' | 'host'>): Promise<void> {
    if (one.host === null || one.host === this.config.host) return;
    await nudgeLoadBalancer(ctx, one);
    throw new RowChangedError(loadBalancerStates.resource, one.id, 'work on');
  }
}

/** From the rows to what a data plane is told. What goes is left out. */
function specOf(rows: TreeRows, secrets: TreeSecrets): BalancerSpec {
  const { loadBalancer } = rows;
  const { id, adminStateUp } = loadBalancer;
  return {
    id,
    enabled: adminStateUp,
    addresses: addressesOf(loadBalancer).filter((one) => one !== null),
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
    protocol: row.protocol,
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
    type: row.type,
    compare: row.compareType,
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
    protocol: row.protocol,
    algorithm: row.lbAlgorithm,
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
    type: row.type,
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
