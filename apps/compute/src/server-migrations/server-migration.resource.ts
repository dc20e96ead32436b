/** Public source: Nova API reference, "Migrations" and "Server migrations". */
import { Check, Entity, Index, Unique } from 'typeorm';
import { isUuid } from '@cumulet/common/context/ids';
import { CheckedField, IntegerField, StringField, UuidField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, pick, rowOf } from '@cumulet/common/resources/classes';
import { choice, id, integer, orNull, text } from '@cumulet/common/resources/field-type';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { Link, linksOf } from '../http/pages.js';
import { zoneless } from '../http/times.js';
import { ChangesQuery } from '../versions/changes-query.js';
import type { ServerId } from '../servers/server.entity.js';

const MIGRATION_TYPES = ['resize', 'migration', 'live-migration', 'evacuation'] as const;
export type MigrationType = (typeof MIGRATION_TYPES)[number];

/** The statuses of a live migration in progress. */
export const LIVE_STATUSES = ['queued', 'preparing', 'running', 'post-migrating'];

const number = { ...integer(), shape: Number };
const NOW = { default: () => 'now()' };

const MIGRATION = {
  id: shownOnly(number, {
    about: 'The ID of the migration, a number.',
    column: {
      primary: true,
      primaryKeyConstraintName: 'server_migrations_pkey',
      generated: 'increment',
    },
  }),
  uuid: shownOnly(id(), { about: 'The UUID of the migration.', versions: { since: 59 } }),
  serverId: shownOnly(id<ServerId>(), { about: 'The ID of the server.', wire: 'instance_uuid' }),
  type: shownOnly(choice(MIGRATION_TYPES), {
    about: 'The type of the migration.',
    wire: 'migration_type',
    versions: { since: 23 },
  }),
  status: shownOnly(text(), { about: 'The status of the migration.' }),
  sourceHost: shownOnly(orNull(text()), { about: 'The source host.', wire: 'source_compute' }),
  destHost: shownOnly(orNull(text()), {
    about: 'The destination host; null until one is chosen.',
    wire: 'dest_compute',
  }),
  destAddress: shownOnly(orNull(text()), {
    about: 'The address of the destination host.',
    wire: 'dest_host',
  }),
  oldFlavor: shownOnly(orNull(number), {
    about: 'The number of the flavor before; null for one that was deleted by then.',
    wire: 'old_instance_type_id',
  }),
  newFlavor: shownOnly(orNull(number), {
    about: 'The number of the flavor afterwards.',
    wire: 'new_instance_type_id',
  }),
  userId: shownOnly(orNull(text()), {
    about: 'The ID of the user who requested the migration.',
    versions: { since: 80 },
  }),
  projectId: shownOnly(orNull(text()), {
    about: "The ID of that user's project.",
    versions: { since: 80 },
  }),
  createdAt: shownOnly(zoneless, { about: 'When the migration began, in UTC.', column: NOW }),
  updatedAt: shownOnly(zoneless, { about: 'When the migration last changed.', column: NOW }),
} as const;

/**
 * A move of a server to another host, flavor or both. A trigger on servers writes its status, in
 * Nova's words; the row stays as long as the archive of deleted servers.
 */
@Entity('server_migrations')
@Unique('server_migrations_uuid_key', ['uuid'])
@Index('server_migrations_page_idx', ['createdAt', 'id'])
@Index('server_migrations_server_idx', ['serverId', 'createdAt', 'id'])
@Index('server_migrations_status_idx', ['status', 'createdAt', 'id'])
@Index('server_migrations_source_idx', ['sourceHost', 'createdAt', 'id'])
@Index('server_migrations_dest_idx', ['destHost', 'createdAt', 'id'])
@Index('server_migrations_project_idx', ['projectId', 'createdAt', 'id'])
@Index('server_migrations_open_idx', ['serverId'], {
  where: `(status <> ALL ('{confirmed,reverted,error,done,failed,completed,cancelled}'::text[]))`,
})
@Check(
  'server_migrations_type_check',
  `type IN ('resize', 'migration', 'live-migration', 'evacuation')`,
)
export class ServerMigration extends rowOf(MIGRATION) {}

const NODES = {
  source_node: Shown<ServerMigration>(String, 'The source hypervisor.', {
    nullable: true,
    from: ({ sourceHost }) => sourceHost,
  }),
  dest_node: Shown<ServerMigration>(String, 'The destination hypervisor.', {
    nullable: true,
    from: ({ destHost }) => destHost,
  }),
};

export class MigrationView extends answerOf(MIGRATION, {
  ...NODES,
  links: Shown<ServerMigration>([() => Link], 'The addresses of a live migration in progress.', {
    since: 23,
    optional: true,
    from: (row, ctx) =>
      row.type === 'live-migration' && LIVE_STATUSES.includes(row.status)
        ? linksOf(`servers/${row.serverId}/migrations`, { id: String(row.id) }, ctx)
        : undefined,
  }),
}) {}

const uncounted = (about: string): PropertyDecorator =>
  Shown(Number, about, { nullable: true, from: () => null });

export class ServerMigrationView extends answerOf(
  {
    ...pick(MIGRATION, ['id', 'uuid', 'status', 'sourceHost', 'destHost', 'destAddress']),
    ...pick(MIGRATION, ['userId', 'projectId', 'createdAt', 'updatedAt']),
    serverId: { ...MIGRATION.serverId, wire: 'server_uuid' },
  },
  {
    ...NODES,
    memory_total_bytes: uncounted('The bytes of memory; null where they are not counted.'),
    memory_processed_bytes: uncounted('The bytes of memory that were transferred.'),
    memory_remaining_bytes: uncounted('The bytes of memory that remain.'),
    disk_total_bytes: uncounted('The bytes of the disks; null where they are not counted.'),
    disk_processed_bytes: uncounted('The bytes of the disks that were transferred.'),
    disk_remaining_bytes: uncounted('The bytes of the disks that remain.'),
  },
) {}

export const MigrationList = answerClass('MigrationList', {
  migrations: Shown([() => MigrationView], 'The migrations of the page, newest first.'),
  migrations_links: Shown([() => Link], 'The next page, if there is one.', {
    since: 59,
    optional: true,
  }),
});

export const ServerMigrationList = answerClass('ServerMigrationList', {
  migrations: Shown([() => ServerMigrationView], 'The live migrations in progress.'),
});

const NONE: Condition = () => 'false';

/** Public source: Nova API reference, "List Migrations". */
@SortedBy(['-createdAt'])
export class ListMigrationsQuery extends ChangesQuery {
  @IntegerField({ optional: true, fromText: true, description: 'Since 2.59.' })
  limit?: number;

  @UuidField({ optional: true, description: 'The UUID of a migration. Since 2.59.' })
  marker?: string;

  @StringField({ optional: true, min: 0, description: 'The source or the destination host.' })
  host?: string;

  @FilteredBy((host: string) => equals('sourceHost', host))
  @StringField({ optional: true, min: 0 })
  source_compute?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0 })
  status?: string;

  @FilteredBy((type: string) => equals('type', type))
  @StringField({ optional: true, min: 0 })
  migration_type?: string;

  @FilteredBy((server: string) => (isUuid(server) ? equals('serverId', server) : NONE))
  @StringField({ optional: true, min: 0 })
  instance_uuid?: string;

  @FilteredBy((hidden: string) => (/^(1|true|yes|on)$/i.test(hidden) ? NONE : undefined))
  @StringField({ optional: true, min: 0, description: 'No migration is hidden.' })
  hidden?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0, description: 'Since 2.80.' })
  user_id?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0, description: 'Since 2.80.' })
  project_id?: string;
}

/** Separate conditions, from the host and to it, so that each uses an index in the list's order. */
export function atEitherEnd(host: string): Condition[] {
  return [
    equals('sourceHost', host),
    (bind, column) =>
      `${column('destHost')} = ${bind(host)} AND ${column('sourceHost')} IS DISTINCT FROM ${bind(host)}`,
  ];
}

const NOTHING = { type: 'object', additionalProperties: false } as const;

export class ForceCompleteBody {
  @CheckedField(() => false, 'must be null', NOTHING, { nullable: true })
  force_complete: null;
}
