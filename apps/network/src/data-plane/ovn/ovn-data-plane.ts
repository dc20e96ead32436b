/**
 * The data plane that OVN carries. Each call writes one transaction to the northbound database,
 * from which ovn-northd and the hosts' ovn-controllers configure the network. It keeps nothing but
 * a copy of that database, so any number of processes may use it.
 */
import type { BalancerHealth, BalancerSpec, CheckResult } from '../balancer-spec.js';
import { SWITCHED } from '../data-plane.js';
import type {
  DataPlane,
  HostStatus,
  Inventory,
  NetworkSpec,
  PortSpec,
  PortStatus,
  RouterSpec,
  SecurityGroupSpec,
} from '../data-plane.js';
import { DataPlaneBusyError, PortNotThereError } from '../data-plane.errors.js';
import { OvsdbClient } from '../ovsdb/ovsdb-client.js';
import type { Operation } from '../ovsdb/ovsdb-operation.js';
import type { OvsdbRows } from '../ovsdb/ovsdb-rows.js';
import { OvsdbTransactionError } from '../ovsdb/ovsdb.errors.js';
import * as plans from './plans.js';
import { placeOf, type BalancerPlace } from './rows/balancer-place.js';
import { unsupportedDomain, unsupportedOptions } from './rows/dhcp-rows.js';
import { MAIN_TABLES, NORTHBOUND, NORTHBOUND_TABLES, specOf, specsOf } from './rows/northbound.js';
import type { Kind } from './rows/northbound.js';
import { statusIn } from './rows/port-rows.js';
import { Southbound, SouthboundHosts } from './southbound-hosts.js';
import type { Row } from '../ovsdb/ovsdb-schema.js';

export interface OvnOptions {
  /** Address of the northbound database: `unix:<path>` or `tcp:<host>:<port>`. */
  readonly northbound: string;
  /** Address of the southbound database, which lists the hosts. */
  readonly southbound: string;
}

export interface OvnEvents {
  /** Reports a value that an earlier version accepted and OVN does not support. */
  readonly unsupported: (
    of: { readonly port: string } | { readonly network: string },
    why: string,
  ) => void;
}

/** Attempts to plan and commit a transaction among concurrent changes. */
const ATTEMPTS = 10;

/** Operations that must find their row; otherwise somebody else has removed it. */
const CHANGES = new Set<Operation['op']>(['update', 'mutate']);

export class OvnDataPlane implements DataPlane {
  readonly vif = SWITCHED;
  readonly #northbound: OvsdbClient;
  readonly #hosts: SouthboundHosts;
  readonly #monitors: ServiceMonitors;
  #rightVersion = -1;

  constructor(
    options: OvnOptions,
    private readonly events?: OvnEvents,
  ) {
    this.#hosts = new SouthboundHosts(options.southbound);
    this.#monitors = new ServiceMonitors(options.southbound);
    // Routers' gateways depend on the hosts.
    this.#hosts.onChange(() => {
      this.#rightVersion = -1;
      this.#replanRouters().catch(() => undefined);
    });
    this.#northbound = new OvsdbClient({
      address: options.northbound,
      database: NORTHBOUND,
      tables: NORTHBOUND_TABLES,
    });
    this.#northbound.start();
  }

  /** Returns once both databases answer. @throws OvsdbUnavailableError as `OvsdbClient`'s */
  async ready(signal?: AbortSignal): Promise<void> {
    const all = [this.#northbound, this.#hosts, this.#monitors];
    await Promise.all(all.map((one) => one.ready(signal)));
  }

  close(): void {
    this.#monitors.close();
    this.#hosts.close();
    this.#northbound.stop();
  }

  async ensureNetwork(network: NetworkSpec): Promise<void> {
    await this.#commit((rows) => plans.planNetwork(rows, network));
    for (const why of unsupportedDomain(network))
      this.events?.unsupported({ network: network.id }, why);
  }

  async removeNetwork(id: string): Promise<void> {
    await this.#commit((rows) => plans.planNoNetwork(rows, id));
  }

  async ensurePort(port: PortSpec): Promise<PortStatus> {
    await this.#commit((rows) => plans.planPort(rows, port));
    const status = statusIn(this.#northbound.rows.find('Logical_Switch_Port', port.id));
    if (!status) throw new PortNotThereError(port.id);
    for (const why of unsupportedOptions(port)) this.events?.unsupported({ port: port.id }, why);
    return status;
  }

  async removePort(id: string): Promise<void> {
    await this.#commit((rows) => plans.planNoPort(rows, id));
  }

  async ensureSecurityGroup(group: SecurityGroupSpec): Promise<void> {
    await this.#commit((rows) => plans.planSecurityGroup(rows, group));
  }

  async removeSecurityGroup(id: string): Promise<void> {
    await this.#commit(() => plans.planNoSecurityGroup(id));
  }

  async ensureRouter(router: RouterSpec): Promise<void> {
    await this.#commit((rows) => this.#planRouter(rows, router));
    await this.#replanBalancers();
  }

  async removeRouter(id: string): Promise<void> {
    await this.#commit((rows) => plans.planNoRouter(rows, id));
    await this.#replanBalancers();
  }

  async ensureBalancer(balancer: BalancerSpec): Promise<void> {
    await this.#commit((rows) => plans.planBalancer(rows, balancer));
  }

  async removeBalancer(id: string): Promise<void> {
    await this.#commit((rows) => plans.planNoBalancer(rows, id));
  }

  async balancerHealth(): Promise<BalancerHealth> {
    const { rows } = this.#northbound;
    const all = specsOf<BalancerSpec>(rows, 'balancer');
    if (all.length > 0) await this.#monitors.catchUp();
    return new Map(all.map((one) => [one.id, this.#monitors.resultsFor(one, placeOf(rows, one))]));
  }

  async inventory(): Promise<Inventory> {
    await this.#northbound.catchUp();
    await this.#setRight();
    const { rows } = this.#northbound;
    const idsOf = (kind: Kind): string[] =>
      specsOf<{ readonly id: string }>(rows, kind).map(({ id }) => id);
    return {
      networks: idsOf('network'),
      securityGroups: idsOf('security_group'),
      routers: idsOf('router'),
      balancers: idsOf('balancer'),
      ports: [...rows.of(MAIN_TABLES.port).values()].flatMap((row) => statusIn(row) ?? []),
    };
  }

  async hosts(): Promise<readonly HostStatus[]> {
    // Every host acknowledges a new sequence number.
    await this.#commit((rows) =>
      [...rows.of('NB_Global')].map(([id, { nb_cfg: number }]) => {
        const row = { nb_cfg: Number(number) + 1 };
        return { op: 'update', table: 'NB_Global', id, row } as const;
      }),
    );
    return this.#hosts.list();
  }

  forgetHost(host: string): Promise<void> {
    return this.#hosts.forget(host);
  }

  watch(listener: (status: PortStatus) => void): () => void {
    return this.#northbound.onChange((changes) => {
      for (const { table, before, after } of changes) {
        if (table !== MAIN_TABLES.port) continue;
        const status = statusIn(after);
        if (status && status.isUp !== (statusIn(before)?.isUp ?? false)) listener(status);
      }
    });
  }

  /** Restores rows that somebody else has changed to their specs. */
  async #setRight(): Promise<void> {
    const { rows } = this.#northbound;
    if (rows.version === this.#rightVersion) return;
    await this.#replan('security_group', plans.planSecurityGroup);
    await this.#replan('network', plans.planNetwork);
    await this.#replanRouters();
    await this.#replanBalancers();
    this.#rightVersion = rows.version;
  }

  /** The routers that balancers are on may have changed. */
  async #replanBalancers(): Promise<void> {
    await this.#northbound.catchUp();
    await this.#replan('balancer', plans.planBalancer);
  }

  #replanRouters(): Promise<void> {
    return this.#replan('router', (rows, router: RouterSpec) => this.#planRouter(rows, router));
  }

  #planRouter(rows: OvsdbRows, router: RouterSpec): Operation[] {
    return plans.planRouter(rows, router, (gateway) => this.#hosts.gatewayHosts(gateway));
  }

  async #replan<Spec extends { readonly id: string }>(
    kind: Kind,
    plan: (rows: OvsdbRows, spec: Spec) => readonly Operation[],
  ): Promise<void> {
    for (const { id } of specsOf<Spec>(this.#northbound.rows, kind))
      await this.#commit((rows) => {
        const spec = specOf<Spec>(rows, kind, id);
        const operations = spec ? plan(rows, spec) : [];
        return operations.some(({ op }) => op !== 'expect') ? operations : [];
      });
  }

  /**
   * Commits the planned operations in one transaction, and plans anew if the rows have changed
   * meanwhile.
   * @throws DataPlaneBusyError after too many attempts
   */
  async #commit(plan: (rows: OvsdbRows) => readonly Operation[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.#northbound.assertReady();
      const operations = plan(this.#northbound.rows);
      if (operations.length === 0) return;
      try {
        const counts = await this.#northbound.transact(operations);
        if (operations.every(({ op }, index) => !CHANGES.has(op) || counts[index] === 1)) return;
      } catch (error) {
        if (!(error instanceof OvsdbTransactionError && error.isConflict)) throw error;
      }
      // The server sends the competing change before its next answer.
      await this.#northbound.catchUp();
    }
    throw new DataPlaneBusyError();
  }
}

const TABLES = { Service_Monitor: ['ip', 'protocol', 'port', 'logical_port', 'status'] } as const;

/** Results of health checks. Public source: ovn-sb(5), "Service_Monitor". */
class ServiceMonitors extends Southbound {
  constructor(address: string) {
    super(address, TABLES);
  }

  /** Returns once all rows are current. @throws OvsdbUnavailableError */
  catchUp(): Promise<void> {
    return this.southbound.catchUp();
  }

  resultsFor({ listeners }: BalancerSpec, place: BalancerPlace): Map<string, CheckResult> {
    const known = new Map(
      [...this.southbound.rows.of('Service_Monitor').values()].map((row) => [
        keyOf(row),
        row['status'],
      ]),
    );
    const results = listeners.flatMap(({ check, protocol, members }) =>
      (check ? members : []).flatMap(({ id, address: ip, port }) => {
        const key = { ip, port, protocol: [protocol], logical_port: place.portsOf.get(id) ?? '' };
        const [status] = (known.get(keyOf(key)) ?? []) as readonly CheckResult[];
        return status === undefined ? [] : [[id, status] as const];
      }),
    );
    return new Map(results);
  }
}

function keyOf({ ip, port, protocol, logical_port: logicalPort }: Row): string {
  return JSON.stringify([ip, port, protocol, logicalPort]);
}
