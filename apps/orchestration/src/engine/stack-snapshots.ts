import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { StackWorkRepository } from '../rows/stack-work.repository.js';
import type { Stack } from '../rows/stack.entity.js';
import type { JsonObject } from '../json/json.js';
import { ResourceTools } from './goals/resource-tools.js';
import { StackExport } from './stack-export.js';
import type { ActionData } from './stored.js';

interface KeptSnapshot {
  readonly name: string;
  readonly type: string;
  readonly data: string;
}

@Injectable()
export class StackSnapshots {
  constructor(
    private readonly sealed: SealedJson,
    private readonly exports: StackExport,
    private readonly stacks: StackWorkRepository,
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

  /** With the data of types, including that of deleted resources. */
  async remove(ctx: RequestContext, stack: Stack, snapshotId: string): Promise<void> {
    const kept = await preparedRows<KeptSnapshot>(
      ctx.manager,
      'SELECT resource_name AS name, type, data FROM resource_snapshots WHERE snapshot_id = $1',
      [snapshotId],
    );
    const { trustId = null } = (await this.stacks.find(ctx, stack.rootId)) ?? {};
    for (const { name, type, data } of kept) {
      const key = `${snapshotId}:${name}`;
      const scope = this.tools.snapshotScope(ctx, stack, trustId, key);
      const found = this.tools.ports.typeOf(type);
      await found?.removeSnapshot?.(scope, this.sealed.open<JsonObject>(data));
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

  async fail(tx: RequestContext, { snapshotId }: ActionData, reason: string): Promise<void> {
    await preparedRows(
      tx.manager,
      `UPDATE stack_snapshots SET status = 'FAILED', reason = $2 WHERE id = $1`,
      [snapshotId, reason],
    );
  }
}
