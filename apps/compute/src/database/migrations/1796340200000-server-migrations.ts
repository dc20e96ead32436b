import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves of servers to another host or flavor. A trigger records their progress. */
export class ServerMigrations1796340200000 implements MigrationInterface {
  readonly name = 'ServerMigrations1796340200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE flavors ADD number serial NOT NULL,
        ADD CONSTRAINT flavors_number_key UNIQUE (number)`);
    await runner.query(`
      CREATE TABLE server_migrations (
        id serial CONSTRAINT server_migrations_pkey PRIMARY KEY,
        uuid uuid NOT NULL CONSTRAINT server_migrations_uuid_key UNIQUE,
        server_id uuid NOT NULL,
        type text NOT NULL CONSTRAINT server_migrations_type_check
          CHECK (type IN ('resize', 'migration', 'live-migration', 'evacuation')),
        status text NOT NULL,
        source_host text,
        dest_host text,
        dest_address text,
        old_flavor integer,
        new_flavor integer,
        user_id text,
        project_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    for (const [name, columns] of Object.entries({
      page: '(created_at, id)',
      server: '(server_id, created_at, id)',
      status: '(status, created_at, id)',
      source: '(source_host, created_at, id)',
      dest: '(dest_host, created_at, id)',
      project: '(project_id, created_at, id)',
      open: `(server_id) WHERE (${IS_OPEN})`,
    }))
      await runner.query(
        `CREATE INDEX server_migrations_${name}_idx ON server_migrations ${columns}`,
      );
    await runner.query(`
      CREATE FUNCTION server_migration_status(type text, before text, now text) RETURNS text
        LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
          WHEN type = 'evacuation' THEN
            CASE WHEN now IN ('active', 'stopped') THEN 'done' ELSE 'failed' END
          WHEN now = 'migrating' THEN 'migrating'
          WHEN now = 'arriving' THEN 'post-migrating'
          WHEN now = 'resized' THEN 'finished'
          WHEN now IN ('confirming', 'reverting') THEN now
          WHEN before = 'confirming' AND now IN ('active', 'stopped') THEN 'confirmed'
          WHEN before = 'reverting' AND now IN ('active', 'stopped') THEN 'reverted'
          WHEN before = 'resized' AND now = 'deleting' THEN 'confirmed'
          ELSE 'error'
        END $$`);
    await runner.query(`
      CREATE FUNCTION follow_server_migrations() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE server_migrations
           SET status = server_migration_status(type, OLD.state, NEW.state), updated_at = now()
         WHERE server_id = NEW.id AND ${IS_OPEN};
        RETURN NULL;
      END $$`);
    // Costs nothing for changes of state that are not part of a migration.
    await runner.query(`
      CREATE TRIGGER servers_migrated AFTER UPDATE ON servers FOR EACH ROW
        WHEN (OLD.state <> NEW.state AND OLD.state IN ('resizing', 'migrating', 'arriving', 'resized',
                                                       'confirming', 'reverting', 'rebuilding'))
        EXECUTE FUNCTION follow_server_migrations()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER servers_migrated ON servers');
    await runner.query('DROP FUNCTION follow_server_migrations');
    await runner.query('DROP FUNCTION server_migration_status');
    await runner.query('DROP TABLE server_migrations');
    await runner.query('ALTER TABLE flavors DROP number');
  }
}

const IS_OPEN = `status <> ALL ('{confirmed,reverted,error,done,failed,completed,cancelled}'::text[])`;
