import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import { actsAcrossProjects } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { Agent } from './agent.resource.js';
import { AgentNotFoundError } from './agent.errors.js';
import { agentResource, type AgentChange } from './agent.resource.js';

export const agents = new Table(Agent, {
  missing: (key) => new AgentNotFoundError(typeof key === 'string' ? key : (key.id ?? '')),
});

const isThere: Condition = (_, column) => `${column('state')} <> 'forgotten'`;

@Injectable()
export class AgentsService {
  /** Only administrators and other services see agents. */
  async list(ctx: RequestContext, query: Query): Promise<readonly Agent[]> {
    const page = pageOf<Agent>(agentResource, query, ctx);
    const { marker } = page;
    if (typeof marker === 'string' && !isUuid(marker)) throw new AgentNotFoundError(marker);
    const { rows } = await agents.list(ctx, { ...page, scope: visible(ctx) });
    return rows;
  }

  /** @throws AgentNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<Agent> {
    if (!isUuid(id)) throw new AgentNotFoundError(id);
    return agents.get(ctx, id, visible(ctx));
  }

  /** Public source: neutron, `update_agent` of its OVN driver. @throws AgentNotFoundError */
  update(ctx: RequestContext, id: string, change: AgentChange): Promise<Agent> {
    return inTransaction(ctx, async (tx) => {
      await this.lock(tx, id);
      if (change.adminStateUp === false)
        throw new BadRequestError('agent', 'OVN agent status cannot be updated');
      const { description } = change;
      return agents.update(
        tx,
        id,
        description === undefined ? {} : { description: description ?? '' },
      );
    });
  }

  /** The data plane drops the host; a live one registers again. @throws AgentNotFoundError */
  remove(ctx: RequestContext, id: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      await this.lock(tx, id);
      await agents.update(tx, id, { state: 'forgotten' });
    });
  }

  private async lock(tx: RequestContext, id: string): Promise<void> {
    await this.get(tx, id);
    const { state } = await agents.lock(tx, id);
    if (state === 'forgotten') throw new AgentNotFoundError(id);
  }
}

function visible(ctx: RequestContext): Condition[] {
  return actsAcrossProjects(ctx) ? [isThere] : [() => 'false'];
}
