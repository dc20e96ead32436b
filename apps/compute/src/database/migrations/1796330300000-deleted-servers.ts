import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted servers. A trigger archives them, so that no statement can forget to. */
export class DeletedServers1796330300000 implements MigrationInterface {
  readonly name = 'DeletedServers1796330300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_servers (
        id uuid CONSTRAINT deleted_servers_pkey PRIMARY KEY,
        project_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        launched_at timestamptz(3),
        deleted_at timestamptz(3) NOT NULL DEFAULT now(),
        server jsonb NOT NULL
      )`);
    await runner.query(
      'CREATE INDEX deleted_servers_project_page_idx ON deleted_servers (project_id, created_at, id)',
    );
    await runner.query('CREATE INDEX deleted_servers_page_idx ON deleted_servers (created_at, id)');
    await runner.query('CREATE INDEX deleted_servers_time_idx ON deleted_servers (deleted_at)');
    // A password is of no use any more; the guest's data may be secret, and is large.
    await runner.query(`
      CREATE FUNCTION archive_deleted_servers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO deleted_servers (id, project_id, created_at, launched_at, server)
        SELECT id, project_id, created_at, launched_at,
               to_jsonb(deleted) - '{admin_password,user_data,injected_files}'::text[]
          FROM deleted
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER servers_archived AFTER DELETE ON servers REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION archive_deleted_servers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER servers_archived ON servers');
    await runner.query('DROP FUNCTION archive_deleted_servers');
    await runner.query('DROP TABLE deleted_servers');
  }
}
