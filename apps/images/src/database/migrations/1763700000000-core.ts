import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images, and the claim on the store that holds their data. */
export class Core1763700000000 implements MigrationInterface {
  readonly name = 'Core1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE images (
        id uuid CONSTRAINT images_pkey PRIMARY KEY,
        state text NOT NULL,
        previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz,
        state_reason text,
        owner text NOT NULL,
        name text,
        visibility text NOT NULL,
        protected boolean NOT NULL,
        os_hidden boolean NOT NULL,
        disk_format text,
        container_format text,
        min_disk integer NOT NULL,
        min_ram integer NOT NULL,
        tags text[] NOT NULL,
        properties jsonb NOT NULL,
        data_id uuid,
        upload_owner text,
        announced_size bigint,
        size bigint,
        checksum text,
        hash_value text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT images_data_of_state CHECK (
          (state <> 'saving' OR (data_id IS NOT NULL AND upload_owner IS NOT NULL))
          AND (state <> 'active' OR (data_id IS NOT NULL AND size IS NOT NULL
               AND checksum IS NOT NULL AND hash_value IS NOT NULL)))
      )`);
    await runner.query('CREATE INDEX images_owner ON images (owner, created_at, id)');
    await runner.query(`
      CREATE INDEX images_published ON images (created_at, id)
       WHERE visibility IN ('public', 'community')`);
    await runner.query(
      'CREATE UNIQUE INDEX images_data ON images (data_id) WHERE data_id IS NOT NULL',
    );
    await runner.query(`CREATE INDEX images_saving ON images (id) WHERE state = 'saving'`);
    await runner.query(`
      CREATE TABLE store_claim (database_id uuid CONSTRAINT store_claim_pkey PRIMARY KEY)`);
    await runner.query('INSERT INTO store_claim VALUES (gen_random_uuid())');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE store_claim');
    await runner.query('DROP TABLE images');
  }
}
