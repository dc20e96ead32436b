/** Records the beginning of a server's move; the trigger on servers updates it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Server } from '../servers/server.entity.js';
import type { MigrationType } from './server-migration.resource.js';

export interface NewMigration {
  readonly type: MigrationType;
  readonly status: string;
  /** The new flavor; by default it is unchanged. */
  readonly flavorId?: string;
  /** The destination, if it is known. */
  readonly host?: string;
}

/** In the transaction that begins the move. */
export async function beginMigration(
  tx: RequestContext,
  server: Pick<Server, 'id' | 'host' | 'flavor'>,
  { type, status, flavorId = server.flavor.id, host }: NewMigration,
): Promise<void> {
  const { userId, projectId = null } = tx.fields;
  await tx.manager.query(
    `INSERT INTO server_migrations
       (uuid, server_id, type, status, source_host, old_flavor, new_flavor, user_id, project_id)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, (SELECT number FROM flavors WHERE id = $5),
             (SELECT number FROM flavors WHERE id = $6), $7, $8)`,
    [server.id, type, status, server.host, server.flavor.id, flavorId, userId, projectId],
  );
  if (host !== undefined) await setDestination(tx, server.id, host);
}

/** For the server's migration in progress. */
export async function setDestination(
  tx: RequestContext,
  serverId: string,
  host: string,
): Promise<void> {
  await tx.manager.query(
    `UPDATE server_migrations
        SET dest_host = $2, dest_address = (SELECT address FROM hosts WHERE name = $2),
            updated_at = now()
      WHERE id = (SELECT max(id) FROM server_migrations WHERE server_id = $1)`,
    [serverId, host],
  );
}

/** The evacuated host has removed its guest. */
export async function completeEvacuation(
  ctx: RequestContext,
  serverId: string,
  from: string,
): Promise<void> {
  await ctx.manager.query(
    `UPDATE server_migrations SET status = 'completed', updated_at = now()
      WHERE server_id = $1 AND source_host = $2 AND type = 'evacuation' AND status = 'done'`,
    [serverId, from],
  );
}
