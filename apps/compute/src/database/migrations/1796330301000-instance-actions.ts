import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Actions on servers, with user and outcome. Triggers end them once the server settles or goes. */
export class InstanceActions1796330301000 implements MigrationInterface {
  readonly name = 'InstanceActions1796330301000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE instance_actions (
        server_id uuid NOT NULL,
        request_id text NOT NULL,
        action text NOT NULL,
        user_id text,
        project_id text,
        started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz(3),
        event text,
        result text,
        message text,
        host text,
        CONSTRAINT instance_actions_pkey PRIMARY KEY (server_id, request_id),
        CONSTRAINT instance_actions_result_check CHECK (result IN ('Success', 'Error'))
      )`);
    await runner.query(
      'CREATE INDEX instance_actions_open_idx ON instance_actions (server_id) WHERE finished_at IS NULL',
    );
    await runner.query(`
      CREATE FUNCTION finish_actions_of_settled_server() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        -- Work that succeeds keeps the reason that it was begun for; one that fails has a new one.
        failed boolean := NEW.state = 'error'
          OR NEW.state_reason IS NOT NULL AND NEW.state_reason IS DISTINCT FROM OLD.state_reason;
      BEGIN
        UPDATE instance_actions
           SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
               host = coalesce(NEW.host, OLD.host),
               result = CASE WHEN failed THEN 'Error' ELSE 'Success' END,
               message = CASE WHEN failed THEN NEW.state_reason END
         WHERE server_id = NEW.id AND finished_at IS NULL;
        RETURN NULL;
      END $$`);
    // A state with a deadline is one in which something is being done.
    await runner.query(`
      CREATE TRIGGER servers_settled AFTER UPDATE ON servers FOR EACH ROW
        WHEN (OLD.state_deadline IS NOT NULL AND NEW.state_deadline IS NULL)
        EXECUTE FUNCTION finish_actions_of_settled_server()`);
    await runner.query(`
      CREATE FUNCTION finish_actions_of_removed_servers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE instance_actions
           SET finished_at = clock_timestamp(), updated_at = clock_timestamp(),
               host = removed.host, result = 'Success'
          FROM removed
         WHERE server_id = removed.id AND finished_at IS NULL;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER servers_removed AFTER DELETE ON servers REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION finish_actions_of_removed_servers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['settled', 'removed'])
      await runner.query(`DROP TRIGGER servers_${event} ON servers`);
    await runner.query(
      'DROP FUNCTION finish_actions_of_settled_server, finish_actions_of_removed_servers',
    );
    await runner.query('DROP TABLE instance_actions');
  }
}
