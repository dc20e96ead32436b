import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A role can be assigned on the project that a domain is too, beside one on the domain. */
export class DomainsAsProjects1796400000000 implements MigrationInterface {
  readonly name = 'DomainsAsProjects1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE role_assignments
        ADD COLUMN as_project boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT role_assignments_as_project_check
          CHECK (domain_id IS NOT NULL OR NOT as_project)`);
    await replaceKeys(runner, 'role_id, inherited, as_project');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM role_assignments WHERE as_project');
    await replaceKeys(runner, 'role_id, inherited');
    await runner.query('ALTER TABLE role_assignments DROP COLUMN as_project');
  }
}

async function replaceKeys(runner: QueryRunner, columns: string): Promise<void> {
  for (const actor of ['user', 'group']) {
    await runner.query(`DROP INDEX role_assignments_${actor}_domain_key`);
    await runner.query(`
      CREATE UNIQUE INDEX role_assignments_${actor}_domain_key
        ON role_assignments (${actor}_id, domain_id, ${columns})
        WHERE ${actor}_id IS NOT NULL AND domain_id IS NOT NULL`);
  }
}
