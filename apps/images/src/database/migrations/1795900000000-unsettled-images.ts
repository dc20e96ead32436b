import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for all images in transient states. Tasks of deleted images are ended here, as new ones
 * are on deletion.
 */
export class UnsettledImages1795900000000 implements MigrationInterface {
  readonly name = 'UnsettledImages1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX images_unsettled ON images (state)
       WHERE state IN ('saving', 'staging', 'staged', 'import_waiting', 'importing',
                       'pending_delete')`);
    await runner.query('DROP INDEX images_receiving, images_pending_delete');
    await runner.query(`
      UPDATE tasks
         SET status = 'failure', message = 'The image was deleted.', updated_at = now(),
             expires_at = now() + interval '48 hours'
       WHERE status IN ('pending', 'processing') AND NOT EXISTS (
         SELECT FROM images
          WHERE images.id = tasks.image_id AND images.state IN ('import_waiting', 'importing'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX images_unsettled');
    await runner.query(`
      CREATE INDEX images_receiving ON images (id) WHERE state IN ('saving', 'staging')`);
    await runner.query(`
      CREATE INDEX images_pending_delete ON images (id) WHERE state = 'pending_delete'`);
  }
}
