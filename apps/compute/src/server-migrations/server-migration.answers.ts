/** Migrations on the wire. Public source: Nova API reference, "Migrations" and "Server migrations". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/pages.js';
import { MIGRATION_TYPES } from './server-migration.entity.js';

/** What both lists show. */
class MigrationFields {
  @Shown(Number, 'Its number.')
  id: number;

  @Shown(String, 'Its id.', { since: 59 })
  uuid?: string;

  @Shown(String, 'How far it is.')
  status: string;

  @Shown(String, 'The host that the server comes from.', { nullable: true })
  source_compute: string | null;

  @Shown(String, 'The hypervisor that it comes from.', { nullable: true })
  source_node: string | null;

  @Shown(String, 'The host that it goes to, once that is chosen.', { nullable: true })
  dest_compute: string | null;

  @Shown(String, 'The hypervisor that it goes to.', { nullable: true })
  dest_node: string | null;

  @Shown(String, 'The address of the host that it goes to.', { nullable: true })
  dest_host: string | null;

  @Shown(String, 'Who asked for it.', { since: 80, nullable: true })
  user_id?: string | null;

  @Shown(String, "That user's project.", { since: 80, nullable: true })
  project_id?: string | null;

  @Shown(String, 'When it began. UTC without a zone.')
  created_at: string;

  @Shown(String, 'When it last changed.')
  updated_at: string;
}

export class MigrationView extends MigrationFields {
  @Shown(String, 'The server.')
  instance_uuid: string;

  @Shown(Number, 'The number of its flavor before.', { nullable: true })
  old_instance_type_id: number | null;

  @Shown(Number, 'The number of its flavor afterwards.', { nullable: true })
  new_instance_type_id: number | null;

  @Shown(String, 'What it is.', { since: 23, enum: MIGRATION_TYPES })
  migration_type?: string;

  @Shown([() => Link], 'Where a live migration is that goes on.', { since: 23, optional: true })
  links?: Link[];
}

export class ServerMigrationView extends MigrationFields {
  @Shown(String, 'The server.')
  server_uuid: string;

  @Shown(Number, 'Bytes of its memory; null where nobody counts.', { nullable: true })
  memory_total_bytes: number | null;

  @Shown(Number, 'Those that are there.', { nullable: true })
  memory_processed_bytes: number | null;

  @Shown(Number, 'Those that are not.', { nullable: true })
  memory_remaining_bytes: number | null;

  @Shown(Number, 'Bytes of its disks; null where nobody counts.', { nullable: true })
  disk_total_bytes: number | null;

  @Shown(Number, 'Those that are there.', { nullable: true })
  disk_processed_bytes: number | null;

  @Shown(Number, 'Those that are not.', { nullable: true })
  disk_remaining_bytes: number | null;
}

export const MigrationList = answerClass('MigrationList', {
  migrations: Shown([() => MigrationView], 'The migrations of the page, newest first.'),
  migrations_links: Shown([() => Link], 'The next page, where there is one.', {
    since: 59,
    optional: true,
  }),
});

export const ServerMigrationList = answerClass('ServerMigrationList', {
  migrations: Shown([() => ServerMigrationView], 'The live migrations that go on.'),
});
