import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Key pairs of users, and the copy that a server was given. */
export class Keypairs1796320000000 implements MigrationInterface {
  readonly name = 'Keypairs1796320000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE keypairs (
        user_id text NOT NULL,
        name text NOT NULL,
        number serial NOT NULL,
        type text NOT NULL,
        public_key text NOT NULL,
        fingerprint text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT keypairs_pkey PRIMARY KEY (user_id, name),
        CONSTRAINT keypairs_type_check CHECK (type IN ('ssh', 'x509'))
      )`);
    await runner.query('ALTER TABLE servers ADD keypair jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP keypair');
    await runner.query('DROP TABLE keypairs');
  }
}
