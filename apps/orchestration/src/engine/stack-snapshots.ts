/** The rows of snapshots, as the actions about them end. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SealedJson } from '../sealing/sealed-json.js';
import type { Stack } from '../stacks/stack.entity.js';
import { StackExport } from './stack-export.js';
import type { ActionData } from './stored.js';

@Injectable()
export class StackSnapshots {
  constructor(
    private readonly sealed: SealedJson,
    private readonly exports: StackExport,
  ) {}

  async complete(tx: RequestContext, stack: Stack, { snapshotId }: ActionData): Promise<void> {
    const data = await this.exports.dataOf(tx, stack, 'complete');
    await preparedRows(
      tx.manager,
      `UPDATE stack_snapshots SET status = 'COMPLETE', data = $2, reason = $3 WHERE id = $1`,
      [snapshotId, this.sealed.seal(data), 'Stack SNAPSHOT completed successfully'],
    );
  }

  async fail(tx: RequestContext, { snapshotId }: ActionData, reason: string): Promise<void> {
    await preparedRows(
      tx.manager,
      `UPDATE stack_snapshots SET status = 'FAILED', reason = $2 WHERE id = $1`,
      [snapshotId, reason],
    );
  }
}
