import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';

/** An event of the stack itself; those of resources are written with their rows. */
export interface EventOfStack {
  readonly id: string;
  readonly rootId: string;
  readonly projectId: string;
  readonly name: string;
}

@Injectable()
export class StackEventRepository {
  async write(
    { manager }: RequestContext,
    { id, rootId, projectId, name }: EventOfStack,
    action: string,
    status: string,
    reason: string,
  ): Promise<void> {
    await preparedRows(
      manager,
      `INSERT INTO stack_events (id, stack_id, root_id, project_id, resource_name, physical_id,
                                 resource_type, action, status, reason)
       VALUES ($1, $2::uuid, $3, $4, $5, $2::uuid::text, 'OS::Heat::Stack', $6, $7, left($8, 255))`,
      [randomUUID(), id, rootId, projectId, name, action, status, reason],
    );
  }

  async forget({ manager }: RequestContext, stackIds: readonly string[]): Promise<void> {
    await preparedRows(manager, 'DELETE FROM stack_events WHERE stack_id = ANY($1)', [stackIds]);
  }
}
