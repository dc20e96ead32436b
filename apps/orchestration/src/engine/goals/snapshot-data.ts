import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { LoadedResource } from '../../rows/stack-resource.entity.js';
import { StackWorkRepository } from '../../rows/stack-work.repository.js';
import type { JsonObject } from '../../json/json.js';
import type { ActionData } from '../stored.js';

/** The data of types in the snapshot that the stack's action takes or restores. */
@Injectable()
export class SnapshotData {
  constructor(
    private readonly sealed: SealedJson,
    private readonly stacks: StackWorkRepository,
  ) {}

  async find(ctx: RequestContext, row: LoadedResource): Promise<JsonObject | undefined> {
    const snapshotId = await this.#snapshotOf(ctx, row);
    const [found] = await preparedRows<{ data: string }>(
      ctx.manager,
      'SELECT data FROM resource_snapshots WHERE snapshot_id = $1 AND resource_name = $2',
      [snapshotId, row.name],
    );
    return found && this.sealed.open<JsonObject>(found.data);
  }

  async keep(
    ctx: RequestContext,
    row: LoadedResource,
    type: string,
    data: JsonObject,
  ): Promise<void> {
    const snapshotId = await this.#snapshotOf(ctx, row);
    await preparedRows(
      ctx.manager,
      `INSERT INTO resource_snapshots (snapshot_id, resource_name, type, data)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (snapshot_id, resource_name) DO UPDATE SET data = excluded.data`,
      [snapshotId, row.name, type, this.sealed.seal(data)],
    );
  }

  /** A key that identifies this snapshot of the resource. */
  async markOf(ctx: RequestContext, row: LoadedResource): Promise<string> {
    return `${row.id}:${(await this.#snapshotOf(ctx, row)) ?? ''}`;
  }

  async #snapshotOf(ctx: RequestContext, { stackId }: LoadedResource): Promise<string | null> {
    const stack = await this.stacks.find(ctx, stackId);
    return this.sealed.openIfAny<ActionData>(stack?.actionData ?? null, {}).snapshotId ?? null;
  }
}
