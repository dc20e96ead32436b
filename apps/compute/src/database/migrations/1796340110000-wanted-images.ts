import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images that administrators want on hosts before servers need them there. */
export class WantedImages1796340110000 implements MigrationInterface {
  readonly name = 'WantedImages1796340110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wanted_images (
        host text NOT NULL,
        image_id uuid NOT NULL,
        CONSTRAINT wanted_images_pkey PRIMARY KEY (host, image_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wanted_images');
  }
}
