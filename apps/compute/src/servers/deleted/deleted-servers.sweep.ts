/** Removes servers that were deleted long ago, with all that belongs to them. */
import { Inject, Injectable } from '@nestjs/common';
import { Entity, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { id, json, moment, orNull, text } from '@cumulet/common/resources/field-type';
import { Feature } from '@cumulet/common/service/feature';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ProjectId } from '@cumulet/common/context/ids';
import type { ComputeConfig } from '../../config.js';
import type { ServerId } from '../server.entity.js';
import { ServerHistoryRepository } from './server-history.repository.js';

/** Rows per statement, which locks what it removes. */
const MAX_ROWS = 1_000;

@Injectable()
export class DeletedServersSweep {
  constructor(@Inject(CONFIG) private readonly config: ComputeConfig) {}

  @SweepEvery(60_000, 'deleted-servers')
  async run(ctx: RequestContext, stopping?: AbortSignal): Promise<void> {
    let count = MAX_ROWS;
    while (count === MAX_ROWS && !stopping?.aborted) count = await this.#forgetSome(ctx);
  }

  /** @returns the number of servers removed */
  async #forgetSome({ manager }: RequestContext): Promise<number> {
    const [, count]: [unknown, number] = await manager.query(
      `WITH old AS (
         SELECT id FROM deleted_servers
          WHERE deleted_at < now() - $1::integer * interval '1 day'
          ORDER BY deleted_at LIMIT ${MAX_ROWS}),
       actions AS (DELETE FROM instance_actions WHERE server_id IN (SELECT id FROM old)),
       migrations AS (DELETE FROM server_migrations WHERE server_id IN (SELECT id FROM old))
       DELETE FROM deleted_servers WHERE id IN (SELECT id FROM old)`,
      [this.config.keepDeletedDays],
    );
    return count;
  }
}

/** Written by a trigger when the server's row is removed. */
@Entity('deleted_servers')
@Index('deleted_servers_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('deleted_servers_page_idx', ['createdAt', 'id'])
@Index('deleted_servers_time_idx', ['deletedAt'])
export class DeletedServer extends rowOf({
  id: internal(id<ServerId>(), { primary: true, primaryKeyConstraintName: 'deleted_servers_pkey' }),
  projectId: internal(text<ProjectId>()),
  createdAt: internal(moment),
  launchedAt: internal(orNull(moment)),
  deletedAt: internal(moment, { default: () => 'now()' }),
  /** The last row by column names, without the guest's data. */
  server: internal(json<object>()),
}) {}

@Feature({
  providers: [DeletedServersSweep, ServerHistoryRepository],
  entities: [DeletedServer],
})
export class DeletedServersModule {}
