/**
 * Compares rows with the data plane and repairs both: resources without a row are removed,
 * resources that the data plane lost are sent to it again, and ports follow the status that their
 * hosts report.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { balancerStates } from '../balancers/balancer.states.js';
import { networkStates } from '../networks/network.states.js';
import { Feature } from '@cumulet/common/service/feature';
import { apply, type AppliedState, type AppliedStates } from '../resource/applied.states.js';
import { securityGroupStates } from '../security-groups/security-group.states.js';
import { recordStatus } from '../ports/apply-port.js';
import { ports, type PortRowState } from '../ports/port.repository.js';
import { portStates, type PortEvent, type PortState } from '../ports/port.states.js';
import { isPlugged } from '../ports/device-owner.js';
import { routerStates } from '../router-locks/router.states.js';
import { DATA_PLANE } from '../data-plane/data-plane.js';
import type { DataPlane, Inventory, PortStatus } from '../data-plane/data-plane.js';

interface Row {
  readonly resource: string;
  readonly id: string;
  readonly generation: number;
}

interface AppliedRow extends Row {
  readonly state: AppliedState;
  /** Whether it has been in this state since before the inventory was taken. */
  readonly isOlder: boolean;
}

interface PortRow extends PortRowState {
  readonly isOlder: boolean;
}

interface Kind {
  readonly resource: string;
  readonly table: string;
  readonly held: (inventory: Inventory) => readonly string[];
  readonly remove: (dataPlane: DataPlane, id: string) => Promise<void>;
}

interface AppliedKind extends Kind {
  readonly states: AppliedStates;
}

const PORTS: Kind = {
  resource: portStates.resource,
  table: portStates.table,
  held: ({ ports }) => ports.map(({ id }) => id),
  remove: (dataPlane, id) => dataPlane.removePort(id),
};
const ROUTERS: AppliedKind = {
  ...applied(routerStates),
  held: ({ routers }) => routers,
  remove: (dataPlane, id) => dataPlane.removeRouter(id),
};
const NETWORKS: AppliedKind = {
  ...applied(networkStates),
  held: ({ networks }) => networks,
  remove: (dataPlane, id) => dataPlane.removeNetwork(id),
};
const BALANCERS: AppliedKind = {
  ...applied(balancerStates),
  held: ({ balancers }) => balancers,
  remove: (dataPlane, id) => dataPlane.removeBalancer(id),
};
const SECURITY_GROUPS: AppliedKind = {
  ...applied(securityGroupStates),
  held: ({ securityGroups }) => securityGroups,
  remove: (dataPlane, id) => dataPlane.removeSecurityGroup(id),
};

const APPLIED = [BALANCERS, ROUTERS, NETWORKS, SECURITY_GROUPS];
/** In order of removal: a network that still has ports cannot be removed. */
const KINDS: readonly Kind[] = [BALANCERS, ROUTERS, PORTS, NETWORKS, SECURITY_GROUPS];

const ROWS = KINDS.map(({ resource, table }) => {
  const deviceOwner = table === PORTS.table ? 'device_owner' : 'NULL';
  return `SELECT '${resource}' AS resource, id, state, generation, ${deviceOwner} AS "deviceOwner",
                 state_since <= $1 AS "isOlder" FROM ${table}`;
}).join(' UNION ALL ');

/** Retries for a port that a reconciler is working on. */
const UNSETTLED = { times: 20, ms: 100 };

@Injectable()
export class DataPlaneComparison implements OnModuleDestroy {
  readonly #ending = new AbortController();
  /** The last status reported for each port that is being followed. */
  readonly #said = new Map<string, PortStatus>();

  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  /** Ports follow the data plane's reports at once; the comparison catches what was missed. */
  @BeforeWork()
  watch(ctx: RequestContext): Promise<void> {
    const end = this.dataPlane.watch((status) => {
      this.follow(ctx, status).catch(() => undefined);
    });
    this.#ending.signal.addEventListener('abort', end);
    return Promise.resolve();
  }

  onModuleDestroy(): void {
    this.#ending.abort();
  }

  @SweepEvery(5_000, 'data-plane')
  async compare(ctx: RequestContext): Promise<void> {
    // The clock is read first. Resources created after that have rows by the time these are read,
    // so they are not taken for strangers; resources settled after that may be missing from the
    // inventory and are left to the next run.
    const [clock] = await preparedRows<{ now: Date }>(
      ctx.manager,
      'SELECT clock_timestamp() AS now',
    );
    const held = await this.dataPlane.inventory();
    const rows = await preparedRows<Row>(ctx.manager, ROWS, [clock?.now]);
    const of = <R extends Pick<Row, 'id'>>({ resource }: Kind): R[] =>
      rows.filter((row) => row.resource === resource) as unknown as R[];
    for (const kind of KINDS)
      for (const id of orphans(kind.held(held), of(kind))) await kind.remove(this.dataPlane, id);
    for (const kind of APPLIED)
      await this.repair(ctx, kind.states, of(kind), new Set(kind.held(held)));
    await this.repairPorts(ctx, of(PORTS), new Map(held.ports.map((port) => [port.id, port])));
  }

  /** One follower runs per port and uses the latest status. */
  private async follow(ctx: RequestContext, status: PortStatus): Promise<void> {
    const { id } = status;
    const isFollowed = this.#said.has(id);
    this.#said.set(id, status);
    if (isFollowed) return;
    try {
      let known: PortStatus | undefined;
      while (known !== this.#said.get(id)) known = await this.repairSettled(ctx, id);
    } finally {
      this.#said.delete(id);
    }
  }

  /** @returns the status that was known of the port */
  private async repairSettled(ctx: RequestContext, id: string): Promise<PortStatus | undefined> {
    const { signal } = this.#ending;
    for (let look = 0; look < UNSETTLED.times && !signal.aborted; look++) {
      const row = await ports.stateOf(ctx, id);
      if (row?.state !== 'building' && row?.state !== 'updating') {
        const known = this.#said.get(id);
        if (row && known)
          await this.repairPorts(ctx, [{ ...row, isOlder: true }], new Map([[id, known]]));
        return known;
      }
      await delay(UNSETTLED.ms, undefined, { signal, ref: false });
    }
    return this.#said.get(id);
  }

  private async repair(
    ctx: RequestContext,
    states: AppliedStates,
    rows: readonly AppliedRow[],
    held: ReadonlySet<string>,
  ): Promise<void> {
    for (const { id, state, isOlder } of rows)
      if (isOlder && state === 'active' && !held.has(id))
        await unlessMoved(() => inTransaction(ctx, (tx) => apply(tx, states, id)));
  }

  private async repairPorts(
    ctx: RequestContext,
    rows: readonly PortRow[],
    held: ReadonlyMap<string, PortStatus>,
  ): Promise<void> {
    for (const { id, state, generation, isOlder } of rows.filter(isPlugged)) {
      const event = isOlder ? repairOf(state, held.get(id)) : undefined;
      if (event === undefined) continue;
      await unlessMoved(() =>
        event === 'came-up' || event === 'went-down'
          ? recordStatus(ctx, { id, generation }, event === 'came-up')
          : inTransaction(ctx, async (tx) => {
              await transition(tx, portStates, id, event, { only: { generation } });
              await nudge(tx, { task: 'port', resource: 'port', id });
            }),
      );
    }
  }
}

function applied(states: AppliedStates): Pick<AppliedKind, 'resource' | 'table' | 'states'> {
  return { resource: states.resource, table: states.table, states };
}

function orphans(ids: readonly string[], rows: readonly Pick<Row, 'id'>[]): string[] {
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** @returns the event for a settled port whose status in the data plane differs */
function repairOf(state: PortState, held: PortStatus | undefined): PortEvent | undefined {
  if (state !== 'active' && state !== 'down') return undefined;
  if (!held) return state === 'active' ? 'update' : 'build';
  if (held.isUp === (state === 'active')) return undefined;
  return held.isUp ? 'came-up' : 'went-down';
}

/** Ignores a row that somebody else has changed meanwhile. */
async function unlessMoved(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error;
  }
}

@Feature({ providers: [DataPlaneComparison] })
export class DataPlaneComparisonModule {}
