import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attributes that owners set, and the password that a guest reports. */
export class ServerAttributes1796330601000 implements MigrationInterface {
  readonly name = 'ServerAttributes1796330601000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE servers
        ADD access_ip_v4 text,
        ADD access_ip_v6 text,
        ADD disk_config text NOT NULL DEFAULT 'MANUAL'
          CONSTRAINT servers_disk_config_check CHECK (disk_config IN ('AUTO', 'MANUAL')),
        ADD guest_password text`);
    await runner.query(archivedWithout('admin_password,guest_password,user_data,injected_files'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(archivedWithout('admin_password,user_data,injected_files'));
    await runner.query(
      'ALTER TABLE servers DROP access_ip_v4, DROP access_ip_v6, DROP disk_config, DROP guest_password',
    );
  }
}

/** Archives all of a deleted server but what is secret or large. */
function archivedWithout(secrets: string): string {
  return `
    CREATE OR REPLACE FUNCTION archive_deleted_servers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deleted_servers (id, project_id, created_at, launched_at, server)
      SELECT id, project_id, created_at, launched_at,
             to_jsonb(deleted) - '{${secrets}}'::text[]
        FROM deleted
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`;
}
