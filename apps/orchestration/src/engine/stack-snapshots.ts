/** The rows of snapshots, as the actions about them end. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SealedJson } from '../sealing/sealed-json.js';
import type { Stack } from '../stacks/stack.entity.js';
import type { LoadedResource } from '../stack-resources/loaded-resource.js';
import type { JsonObject } from '../template/json.js';
import { ResourceTools } from './goals/resource-tools.js';
import { StackExport } from './stack-export.js';
import type { ActionData } from './stored.js';

@Injectable()
export class StackSnapshots {
  constructor(
    private readonly sealed: SealedJson,
    private readonly exports: StackExport,
    private readonly tools: ResourceTools,
  ) {}

  async complete(tx: RequestContext, stack: Stack, { snapshotId }: ActionData): Promise<void> {
    const data = await this.exports.dataOf(tx, stack, 'complete');
    await preparedRows(
      tx.manager,
      `UPDATE stack_snapshots SET status = 'COMPLETE', data = $2, reason = $3 WHERE id = $1`,
      [snapshotId, this.sealed.seal(data), 'Stack SNAPSHOT completed successfully'],
    );
  }

  /** With what types have kept for it. */
  async remove(ctx: RequestContext, stack: Stack, snapshotId: string): Promise<void> {
    const kept = await preparedRows<{ name: string; data: string; id: string | null }>(
      ctx.manager,
      `SELECT kept.resource_name AS name, kept.data, one.id
         FROM resource_snapshots AS kept
         LEFT JOIN stack_resources AS one
           ON one.stack_id = $2 AND one.name = kept.resource_name AND NOT one.obsolete
        WHERE kept.snapshot_id = $1`,
      [snapshotId, stack.id],
    );
    for (const { id, data } of kept) {
      const row = id === null ? undefined : await this.tools.rows.load(ctx, id);
      if (row) await this.removeOf(ctx, row, this.sealed.open<JsonObject>(data));
    }
    await preparedRows(ctx.manager, 'DELETE FROM stack_snapshots WHERE id = $1', [snapshotId]);
  }

  async removeAll(ctx: RequestContext, stack: Stack): Promise<void> {
    const all = await preparedRows<{ id: string }>(
      ctx.manager,
      'SELECT id FROM stack_snapshots WHERE stack_id = $1',
      [stack.id],
    );
    for (const { id } of all) await this.remove(ctx, stack, id);
  }

  private async removeOf(
    ctx: RequestContext,
    row: LoadedResource,
    data: JsonObject,
  ): Promise<void> {
    const type = this.tools.kindOf(row).type;
    const scope = this.tools.existing(ctx, row, new AbortController().signal);
    await type.removeSnapshot?.(scope, data);
  }

  async fail(tx: RequestContext, { snapshotId }: ActionData, reason: string): Promise<void> {
    await preparedRows(
      tx.manager,
      `UPDATE stack_snapshots SET status = 'FAILED', reason = $2 WHERE id = $1`,
      [snapshotId, reason],
    );
  }
}
