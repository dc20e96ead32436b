/** Public source: Orchestration API reference, "Stack snapshots". */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { ActOnStack } from '../engine/commands/act-on-stack.js';
import { ChangeStack } from '../engine/commands/change-stack.js';
import { StackSnapshots } from '../engine/stack-snapshots.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { NotSupportedError, SnapshotNotFoundError } from '../rows/stack.errors.js';
import type { Stack } from '../rows/stack.entity.js';
import type { StackPath } from '../http/stack-path.js';
import { StacksService } from '../stacks/stacks.service.js';
import type { JsonObject } from '../json/json.js';
import { StackSnapshot } from '../rows/stack-snapshot.entity.js';

@Injectable()
export class SnapshotsService {
  constructor(
    private readonly acting: ActOnStack,
    private readonly changing: ChangeStack,
    private readonly snapshots: StackSnapshots,
    private readonly stacks: StacksService,
    private readonly sealed: SealedJson,
  ) {}

  async list(ctx: RequestContext, path: StackPath): Promise<readonly StackSnapshot[]> {
    const { id } = await this.stacks.find(ctx, path);
    const tail = 'WHERE stack_id = $1 ORDER BY created_at, id';
    return selectRows(ctx.manager, StackSnapshot, tail, [id]);
  }

  async show(ctx: RequestContext, path: StackPath, snapshotId: string): Promise<StackSnapshot> {
    return (await this.#find(ctx, path, snapshotId)).snapshot;
  }

  dataOf({ data }: Pick<StackSnapshot, 'data'>): JsonObject | null {
    return this.sealed.openIfAny<JsonObject | null>(data, null);
  }

  async create(ctx: RequestContext, path: StackPath, name: string | null): Promise<StackSnapshot> {
    return this.acting.snapshot(ctx, await this.stacks.find(ctx, path), name);
  }

  async restore(ctx: RequestContext, path: StackPath, snapshotId: string): Promise<void> {
    const { stack, snapshot } = await this.#find(ctx, path, snapshotId);
    await this.changing.restore(ctx, stack, snapshot);
  }

  /** @throws NotSupportedError while it is being taken */
  async delete(ctx: RequestContext, path: StackPath, snapshotId: string): Promise<void> {
    const { stack, snapshot } = await this.#find(ctx, path, snapshotId);
    if (snapshot.status === 'IN_PROGRESS')
      throw new NotSupportedError('Deleting in-progress snapshot');
    await this.snapshots.remove(ctx, stack, snapshot.id);
  }

  async #find(
    ctx: RequestContext,
    path: StackPath,
    id: string,
  ): Promise<{ readonly stack: Stack; readonly snapshot: StackSnapshot }> {
    const stack = await this.stacks.find(ctx, path);
    const tail = 'WHERE id = $1 AND stack_id = $2';
    const [snapshot] = isUuid(id)
      ? await selectRows(ctx.manager, StackSnapshot, tail, [id, stack.id])
      : [];
    if (!snapshot) throw new SnapshotNotFoundError(id, stack.name);
    return { stack, snapshot };
  }
}
