import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A bucket has at most 10,000 uploads under way, none of which the quotas count before it has parts. */
export class BoundedUploads1797000100000 implements MigrationInterface {
  readonly name = 'BoundedUploads1797000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION expect_few_uploads() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM uploads WHERE bucket_id = NEW.bucket_id OFFSET 10000 LIMIT 1) THEN
          RAISE check_violation USING CONSTRAINT = 'uploads_bucket_limit',
            MESSAGE = format('bucket %s: more than 10000 uploads', NEW.bucket_id);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER uploads_bucket_limit AFTER INSERT ON uploads
        FOR EACH ROW EXECUTE FUNCTION expect_few_uploads()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER uploads_bucket_limit ON uploads');
    await runner.query('DROP FUNCTION expect_few_uploads');
  }
}
