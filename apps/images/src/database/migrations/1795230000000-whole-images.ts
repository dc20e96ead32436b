import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members; staged and imported data, with tasks; the state of the scrub. */
export class WholeImages1795230000000 implements MigrationInterface {
  readonly name = 'WholeImages1795230000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE images
        ADD virtual_size bigint,
        ADD staged_data_id uuid,
        ADD staged_size bigint,
        ADD scrubbed_at timestamptz,
        DROP CONSTRAINT images_data_of_state,
        ADD CONSTRAINT images_data_of_state CHECK (
          (state <> 'saving' OR (data_id IS NOT NULL AND upload_owner IS NOT NULL))
          AND (state <> 'staging' OR (staged_data_id IS NOT NULL AND upload_owner IS NOT NULL))
          AND (state <> 'staged' OR (staged_data_id IS NOT NULL AND staged_size IS NOT NULL))
          AND (state NOT IN ('active', 'deactivated', 'killed')
               OR (data_id IS NOT NULL AND size IS NOT NULL
                   AND checksum IS NOT NULL AND hash_value IS NOT NULL)))`);
    await runner.query(`UPDATE images SET virtual_size = size WHERE disk_format = 'raw'`);
    await runner.query(`
      CREATE UNIQUE INDEX images_staged_data ON images (staged_data_id)
       WHERE staged_data_id IS NOT NULL`);
    await runner.query('DROP INDEX images_saving');
    await runner.query(`
      CREATE INDEX images_receiving ON images (id) WHERE state IN ('saving', 'staging')`);
    await runner.query(`
      CREATE INDEX images_pending_delete ON images (id) WHERE state = 'pending_delete'`);
    await runner.query(`
      CREATE INDEX images_scrub ON images (scrubbed_at) WHERE state IN ('active', 'deactivated')`);
    await runner.query(`
      CREATE TABLE image_members (
        image_id uuid CONSTRAINT image_members_image_id_fkey REFERENCES images ON DELETE CASCADE,
        member_id text,
        status text NOT NULL DEFAULT 'pending',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT image_members_pkey PRIMARY KEY (image_id, member_id),
        CONSTRAINT image_members_status CHECK (status IN ('pending', 'accepted', 'rejected'))
      )`);
    await runner.query('CREATE INDEX image_members_member ON image_members (member_id, status)');
    await runner.query(`
      CREATE TABLE tasks (
        id uuid CONSTRAINT tasks_pkey PRIMARY KEY,
        type text NOT NULL,
        status text NOT NULL,
        owner text NOT NULL,
        user_id text NOT NULL,
        request_id text NOT NULL,
        image_id uuid,
        input jsonb NOT NULL,
        result jsonb,
        message text NOT NULL DEFAULT '',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3),
        CONSTRAINT tasks_status CHECK (status IN ('pending', 'processing', 'success', 'failure'))
      )`);
    await runner.query('CREATE INDEX tasks_image ON tasks (image_id, created_at)');
    await runner.query('CREATE INDEX tasks_owner ON tasks (owner, created_at, id)');
    await runner.query(`
      CREATE UNIQUE INDEX tasks_running ON tasks (image_id)
       WHERE status IN ('pending', 'processing')`);
    await runner.query(
      'CREATE INDEX tasks_expires_at ON tasks (expires_at) WHERE expires_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tasks, image_members');
    await runner.query(
      `DELETE FROM images
        WHERE state IN ('staging', 'staged', 'importing', 'killed', 'pending_delete')`,
    );
    await runner.query(`UPDATE images SET state = 'active' WHERE state = 'deactivated'`);
    await runner.query(
      'DROP INDEX images_scrub, images_pending_delete, images_receiving, images_staged_data',
    );
    await runner.query(`CREATE INDEX images_saving ON images (id) WHERE state = 'saving'`);
    await runner.query(`
      ALTER TABLE images
        DROP CONSTRAINT images_data_of_state,
        DROP virtual_size, DROP staged_data_id, DROP staged_size, DROP scrubbed_at,
        ADD CONSTRAINT images_data_of_state CHECK (
          (state <> 'saving' OR (data_id IS NOT NULL AND upload_owner IS NOT NULL))
          AND (state <> 'active' OR (data_id IS NOT NULL AND size IS NOT NULL
               AND checksum IS NOT NULL AND hash_value IS NOT NULL)))`);
  }
}
