import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answers of requests with an Idempotency-Key, in the database of every service. */
export class IdempotencyKeys1796100000000 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        id text CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
        fingerprint text NOT NULL,
        answer text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(
      'CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
