import type { RequestContext } from '@cumulet/common/context/request-context';
import { linksOf } from '../http/pages.js';
import { zonelessTime } from '../http/times.js';
import { versionOf } from '../versions/microversions.js';
import type { MigrationView, ServerMigrationView } from './server-migration.answers.js';
import type { ServerMigration } from './server-migration.entity.js';

/** The statuses of a live migration that goes on. */
export const LIVE_STATUSES: readonly string[] = [
  'queued',
  'preparing',
  'running',
  'post-migrating',
];

function fieldsOf(ctx: RequestContext, row: ServerMigration) {
  const version = versionOf(ctx);
  return {
    id: row.id,
    ...(version.atLeast(59) ? { uuid: row.uuid } : {}),
    status: row.status,
    source_compute: row.sourceHost,
    source_node: row.sourceHost,
    dest_compute: row.destHost,
    dest_node: row.destHost,
    dest_host: row.destAddress,
    ...(version.atLeast(80) ? { user_id: row.userId, project_id: row.projectId } : {}),
    created_at: zonelessTime(row.createdAt),
    updated_at: zonelessTime(row.updatedAt),
  };
}

export function migrationView(ctx: RequestContext, row: ServerMigration): MigrationView {
  const goesOn = row.type === 'live-migration' && LIVE_STATUSES.includes(row.status);
  const collection = `servers/${row.serverId}/migrations`;
  const links = goesOn ? { links: linksOf(collection, { id: String(row.id) }, ctx) } : {};
  return {
    ...fieldsOf(ctx, row),
    instance_uuid: row.serverId,
    old_instance_type_id: row.oldFlavor,
    new_instance_type_id: row.newFlavor,
    ...(versionOf(ctx).atLeast(23) ? { migration_type: row.type, ...links } : {}),
  };
}

/** Of a live migration. */
export function serverMigrationView(
  ctx: RequestContext,
  row: ServerMigration,
): ServerMigrationView {
  return {
    ...fieldsOf(ctx, row),
    server_uuid: row.serverId,
    memory_total_bytes: null,
    memory_processed_bytes: null,
    memory_remaining_bytes: null,
    disk_total_bytes: null,
    disk_processed_bytes: null,
    disk_remaining_bytes: null,
  };
}
