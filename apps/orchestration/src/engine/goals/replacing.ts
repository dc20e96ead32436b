/** Replaces a row by another, which later deletes the former resource; or restores it. */
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { isRefusal } from '@cumulet/common/states/refusal';
import { RowChangedError } from '@cumulet/common/states/transition';
import { Injectable } from '@nestjs/common';
import { ResourceEndRepository } from '../../rows/resource-end.repository.js';
import { nudgeOfResource, shareStack } from '../../rows/stack-nudges.js';
import type { Frozen } from '../stored.js';
import type { Run } from './phases.js';
import { ResourceTools } from './resource-tools.js';

@Injectable()
export class Replacing {
  constructor(
    private readonly tools: ResourceTools,
    private readonly ends: ResourceEndRepository,
  ) {}

  /** @throws RowChangedError because this row's work is over and the other's begins */
  async replace({ ctx, row, signal }: Run): Promise<never> {
    const { type } = this.tools.kindOf(row);
    if (row.physicalId !== null && !row.isExternal)
      await type.prepareForReplacement?.(this.tools.existing(ctx, row, signal));
    await inTransaction(ctx, async (tx) => {
      await shareStack(tx, row.stackId);
      const id = await this.ends.replace(tx, row);
      await nudge(tx, nudgeOfResource({ id, turn: row.turn }));
    });
    throw new RowChangedError('stack_resource', row.id, 'go on with');
  }

  /** Restores a replaced row as the current one of its name; the others leave it their dependents. */
  async restoreReplaced(run: Run): Promise<void> {
    const { ctx, row, signal } = run;
    if (row.replacedBy === null) return;
    const { tools } = this;
    const { type } = tools.kindOf(row);
    if (!row.isExternal) {
      await this.leave(run, row.replacedBy);
      await type.restoreReplaced?.(tools.existing(ctx, row, signal));
    }
    await tools.rows.record(ctx, row, { replacedBy: null });
  }

  private async leave(run: Run, id: string): Promise<void> {
    const { ctx, signal } = run;
    const { tools } = this;
    const row = await tools.rows.load(ctx, id);
    if (!row) return;
    if (row.replacedBy !== null) await this.leave(run, row.replacedBy);
    const { type } = tools.kindOf(row);
    if (!type.prepareForReplacement || row.isExternal) return;
    await recoverCreation(tools, { ctx, row, signal });
    if (row.physicalId !== null) await type.prepareForReplacement(tools.existing(ctx, row, signal));
  }
}

/**
 * Repeats a creation without an answer under its key, and so learns what it has created, if anything.
 */
export async function recoverCreation(
  tools: ResourceTools,
  { ctx, row, signal }: Run,
): Promise<void> {
  if (row.frozen === null || row.action !== 'CREATE' || row.properties !== null) return;
  const { sealed, rows } = tools;
  try {
    const scope = tools.scopeOf(ctx, row, signal, sealed.open<Frozen>(row.frozen));
    const { physicalId, data } = await tools.kindOf(row).type.create(scope);
    const kept = data === undefined ? {} : { data: sealed.seal(data) };
    await rows.record(ctx, row, { physicalId, properties: row.frozen, frozen: null, ...kept });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await rows.record(ctx, row, { frozen: null });
  }
}
