/** Another row takes the place of one, whose thing goes once the other's is there; or that comes back. */
import { Injectable } from '@nestjs/common';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { RowChangedError } from '@cumulet/common/states/transition';
import { ResourceEndRepository } from '../../stack-resources/resource-end.repository.js';
import { shareStack } from '../stack-lock.js';
import type { Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';
import { nudgeOfResource } from './settle.js';

@Injectable()
export class Replacing {
  constructor(
    private readonly tools: ResourceTools,
    private readonly ends: ResourceEndRepository,
  ) {}

  /** @throws RowChangedError, as this row's work is over: the other one's begins */
  async replace({ ctx, row, signal }: Run): Promise<never> {
    const { type } = this.tools.kindOf(row);
    if (row.physicalId !== null && !row.isExternal)
      await type.makeWay?.(this.tools.existing(ctx, row, signal));
    await inTransaction(ctx, async (tx) => {
      await shareStack(tx, row.stackId);
      const id = await this.ends.replace(tx, row);
      await nudge(tx, nudgeOfResource({ id, turn: row.turn }));
    });
    throw new RowChangedError('stack_resource', row.id, 'go on with');
  }

  /** One that was replaced, and is what its name stands for again. */
  async comeBack({ ctx, row, signal }: Run): Promise<void> {
    if (row.replacedBy === null) return;
    const { type } = this.tools.kindOf(row);
    if (!row.isExternal) await type.comeBack?.(this.tools.existing(ctx, row, signal));
    await this.tools.rows.learn(ctx, row, { replacedBy: null });
  }
}
