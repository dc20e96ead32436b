import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A stack has about a thousand events, the newest, as in Heat (`max_events_per_stack`). One in a hundred
 * of those that are written removes the old ones of its stack, so that writing stays cheap.
 */
export class BoundedEvents1798000300000 implements MigrationInterface {
  readonly name = 'BoundedEvents1798000300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION trim_stack_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM stack_events WHERE id IN (
          SELECT id FROM stack_events
           WHERE stack_id = NEW.stack_id
             AND position <= (SELECT position FROM stack_events WHERE stack_id = NEW.stack_id
                               ORDER BY position DESC OFFSET 1000 LIMIT 1)
           ORDER BY position FOR UPDATE SKIP LOCKED);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER stack_events_trimmed AFTER INSERT ON stack_events
        FOR EACH ROW WHEN (NEW.position % 100 = 0) EXECUTE FUNCTION trim_stack_events()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER stack_events_trimmed ON stack_events');
    await runner.query('DROP FUNCTION trim_stack_events');
  }
}
