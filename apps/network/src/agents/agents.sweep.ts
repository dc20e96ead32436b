/** Writes the hosts to the database for processes without a data plane. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SweepEvery } from '@cumulet/common/service/background';
import { DATA_PLANE, type DataPlane, type HostStatus } from '../data-plane/data-plane.js';

@Injectable()
export class AgentsSweep {
  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  /** Several times within `DOWN_SECONDS`. */
  @SweepEvery(15_000, 'agents')
  async follow(ctx: RequestContext): Promise<void> {
    await this.forget(ctx);
    const hosts = await this.dataPlane.hosts();
    for (const host of hosts) await record(ctx, host);
    await preparedRows(
      ctx.manager,
      `UPDATE agents SET state = 'gone' WHERE state = 'present' AND host <> ALL($1)`,
      [hosts.map(({ host }) => host)],
    );
  }

  /** Runs before hosts are listed; one that is alive registers again later. */
  private async forget(ctx: RequestContext): Promise<void> {
    const deleted = await preparedRows<{ readonly host: string }>(
      ctx.manager,
      `SELECT host FROM agents WHERE state = 'forgotten'`,
    );
    for (const { host } of deleted) {
      await this.dataPlane.forgetHost(host);
      await preparedRows(
        ctx.manager,
        `DELETE FROM agents WHERE host = $1 AND state = 'forgotten'`,
        [host],
      );
    }
  }
}

async function record(ctx: RequestContext, status: HostStatus): Promise<void> {
  const { host, agentType, binary, availabilityZones, seenAt } = status;
  const configurations = {
    bridge_mappings: status.bridgeMappings,
    datapath_type: status.datapathType,
    network_namespace: status.networkNamespace,
  };
  await preparedRows(
    ctx.manager,
    `INSERT INTO agents
       (id, host, agent_type, "binary", availability_zones, seen_at, configurations)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6)
     ON CONFLICT (host) DO UPDATE SET
       agent_type = EXCLUDED.agent_type, "binary" = EXCLUDED."binary",
       availability_zones = EXCLUDED.availability_zones, seen_at = EXCLUDED.seen_at,
       configurations = EXCLUDED.configurations, state = 'present',
       heartbeat_at =
         CASE WHEN agents.seen_at = EXCLUDED.seen_at THEN agents.heartbeat_at ELSE now() END
     WHERE agents.state <> 'forgotten'`,
    [host, agentType, binary, availabilityZones, seenAt, configurations],
  );
}
