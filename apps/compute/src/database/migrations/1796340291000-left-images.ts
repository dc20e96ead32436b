import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images that servers no longer need, until the images service has deleted them. */
export class LeftImages1796340291000 implements MigrationInterface {
  readonly name = 'LeftImages1796340291000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE left_images (
        image_id uuid CONSTRAINT left_images_pkey PRIMARY KEY,
        is_shelved boolean NOT NULL,
        tried_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE left_images');
  }
}
