import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps about the thousand newest actions of a server, and those that have not ended. About one
 * write in fifty removes old ones, so that writing stays cheap.
 */
export class BoundedActions1796340292000 implements MigrationInterface {
  readonly name = 'BoundedActions1796340292000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION trim_instance_actions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM instance_actions AS one USING (
          SELECT server_id, request_id FROM instance_actions
           WHERE server_id = NEW.server_id AND finished_at IS NOT NULL
             AND started_at < (SELECT started_at FROM instance_actions
                                WHERE server_id = NEW.server_id
                                ORDER BY started_at DESC OFFSET 999 LIMIT 1)
           ORDER BY request_id FOR UPDATE SKIP LOCKED) AS former
         WHERE one.server_id = former.server_id AND one.request_id = former.request_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER instance_actions_trimmed AFTER INSERT ON instance_actions
        FOR EACH ROW WHEN (hashtext(NEW.request_id) % 50 = 0)
        EXECUTE FUNCTION trim_instance_actions()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER instance_actions_trimmed ON instance_actions');
    await runner.query('DROP FUNCTION trim_instance_actions');
  }
}
