import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of what users make for themselves: whose a row is, and how many each may have. */
const BOUNDED = [
  ['access_rules', 'user_id', 10_000],
  ['application_credentials', 'user_id', 1_000],
  ['credentials', 'user_id', 1_000],
  ['trusts', 'trustor_user_id', 10_000],
] as const;

/**
 * Bounds what a user has of each kind. After the row rather than before it, so that what is there
 * already and is found again (`ON CONFLICT`) is not counted as new; one at a time for each user.
 */
export class UserLimits1799690000000 implements MigrationInterface {
  readonly name = 'UserLimits1799690000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION expect_within_user_limit() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        owner text := to_jsonb(NEW) ->> TG_ARGV[0];
        existing bigint;
      BEGIN
        PERFORM pg_advisory_xact_lock(
          hashtextextended('user-limit:' || TG_TABLE_NAME || ':' || owner, 0));
        EXECUTE format('SELECT count(*) FROM %I WHERE %I = $1', TG_TABLE_NAME, TG_ARGV[0])
           INTO existing USING owner;
        IF existing > TG_ARGV[1]::bigint THEN
          RAISE check_violation USING CONSTRAINT = TG_TABLE_NAME || '_user_limit',
            MESSAGE = format('%s of %s: more than %s', TG_TABLE_NAME, owner, TG_ARGV[1]);
        END IF;
        RETURN NULL;
      END $$`);
    for (const [table, owner, limit] of BOUNDED)
      await runner.query(`
        CREATE TRIGGER ${table}_user_limit AFTER INSERT ON ${table}
          FOR EACH ROW EXECUTE FUNCTION expect_within_user_limit('${owner}', '${limit}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of BOUNDED)
      await runner.query(`DROP TRIGGER ${table}_user_limit ON ${table}`);
    await runner.query('DROP FUNCTION expect_within_user_limit');
  }
}
