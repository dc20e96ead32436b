import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resizes to another host, where the server boots from an image of its disk. */
export class ResizesElsewhere1796340210000 implements MigrationInterface {
  readonly name = 'ResizesElsewhere1796340210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE server_resizes ADD is_former boolean NOT NULL DEFAULT false, ADD image jsonb,
        ADD local_disks jsonb NOT NULL DEFAULT '[]', ADD goes_to text,
        ADD must_leave boolean NOT NULL DEFAULT false`);
    await runner.query(`
      UPDATE server_resizes SET is_former = server_resizes.host IS NOT NULL, image = servers.image,
             local_disks = servers.local_disks
        FROM servers WHERE id = server_id`);
    await runner.query('ALTER TABLE server_resizes ALTER image SET NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE server_resizes DROP is_former, DROP image, DROP local_disks, DROP goes_to,
        DROP must_leave`);
  }
}
