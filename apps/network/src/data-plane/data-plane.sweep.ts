/**
 * Compares rows and data plane, and repairs both ways: what no row knows is removed, what the data
 * plane lost is told to it again, and a port is active as soon as its host says so.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { SweepEvery } from '@cumulet/common/service/background';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { networkStates } from '../networks/network.states.js';
import { apply, type AppliedState, type AppliedStates } from '../resource/applied.states.js';
import { securityGroupStates } from '../security-groups/security-group.states.js';
import { portStates, type PortEvent, type PortState } from '../ports/port.states.js';
import { isPlugged } from '../ports/router-port.js';
import { routerStates } from '../routers/router.states.js';
import { DATA_PLANE, type DataPlane, type PortStatus } from './data-plane.js';

interface AppliedRow {
  readonly id: string;
  readonly state: AppliedState;
  readonly generation: number;
}

interface PortRow {
  readonly id: string;
  readonly deviceOwner: string;
  readonly state: PortState;
  readonly generation: number;
}

@Injectable()
export class DataPlaneComparison {
  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  @SweepEvery(5_000, 'data-plane')
  async compare(ctx: RequestContext): Promise<void> {
    // What is made in between is in the rows that are read later, and so is no stranger.
    const held = await this.dataPlane.inventory();
    const select = 'SELECT id, state, generation FROM';
    const ports = await preparedRows<PortRow>(
      ctx.manager,
      'SELECT id, device_owner AS "deviceOwner", state, generation FROM ports',
    );
    const networks = await preparedRows<AppliedRow>(ctx.manager, `${select} networks`);
    const groups = await preparedRows<AppliedRow>(ctx.manager, `${select} security_groups`);
    const routers = await preparedRows<AppliedRow>(ctx.manager, `${select} routers`);
    // Routers and ports before networks: those that have any stay.
    for (const id of strangers(held.routers, routers)) await this.dataPlane.removeRouter(id);
    for (const id of strangers(
      held.ports.map((port) => port.id),
      ports,
    ))
      await this.dataPlane.removePort(id);
    for (const id of strangers(held.networks, networks)) await this.dataPlane.removeNetwork(id);
    for (const id of strangers(held.securityGroups, groups))
      await this.dataPlane.removeSecurityGroup(id);
    await this.repair(ctx, networkStates, networks, new Set(held.networks));
    await this.repair(ctx, securityGroupStates, groups, new Set(held.securityGroups));
    await this.repair(ctx, routerStates, routers, new Set(held.routers));
    await this.repairPorts(ctx, ports, new Map(held.ports.map((port) => [port.id, port])));
  }

  private async repair(
    ctx: RequestContext,
    states: AppliedStates,
    rows: readonly AppliedRow[],
    held: ReadonlySet<string>,
  ): Promise<void> {
    for (const { id, state } of rows)
      if (state === 'active' && !held.has(id))
        await unlessMoved(() => inTransaction(ctx, (tx) => apply(tx, states, id)));
  }

  private async repairPorts(
    ctx: RequestContext,
    rows: readonly PortRow[],
    held: ReadonlyMap<string, PortStatus>,
  ): Promise<void> {
    for (const { id, state, generation } of rows.filter(isPlugged)) {
      const event = repairOf(state, held.get(id));
      if (event === undefined) continue;
      await unlessMoved(() =>
        inTransaction(ctx, async (tx) => {
          await transition(tx, portStates, id, event, { only: { generation } });
          if (event === 'build' || event === 'update')
            await nudge(tx, { task: 'port', resource: 'port', id });
        }),
      );
    }
  }
}

function strangers(ids: readonly string[], rows: readonly { readonly id: string }[]): string[] {
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** What a settled port needs, that is or is not there. */
function repairOf(state: PortState, held: PortStatus | undefined): PortEvent | undefined {
  if (state !== 'active' && state !== 'down') return undefined;
  if (!held) return state === 'active' ? 'update' : 'build';
  if (held.isUp === (state === 'active')) return undefined;
  return held.isUp ? 'came-up' : 'went-down';
}

/** Whoever has moved the row meanwhile knows better. */
async function unlessMoved(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error;
  }
}
