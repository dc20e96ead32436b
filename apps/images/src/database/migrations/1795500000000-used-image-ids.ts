import type { MigrationInterface, QueryRunner } from 'typeorm';

/** IDs of existing and deleted images: an ID stays taken after its image is deleted. */
export class UsedImageIds1795500000000 implements MigrationInterface {
  readonly name = 'UsedImageIds1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_image_ids (id uuid CONSTRAINT used_image_ids_pkey PRIMARY KEY)`);
    // No image may be inserted between the copy and the constraint.
    await runner.query('LOCK TABLE images IN SHARE ROW EXCLUSIVE MODE');
    await runner.query('INSERT INTO used_image_ids SELECT id FROM images');
    await runner.query(`
      ALTER TABLE images ADD CONSTRAINT images_id_fkey FOREIGN KEY (id) REFERENCES used_image_ids`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE images DROP CONSTRAINT images_id_fkey');
    await runner.query('DROP TABLE used_image_ids');
  }
}
