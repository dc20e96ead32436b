import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No CHECK lists the states: `server.states.ts` does, and `transition()` allows no other. A second
 * list would have to change with it, while an earlier process still runs.
 */
export class StatesByTheirTable1796330210000 implements MigrationInterface {
  readonly name = 'StatesByTheirTable1796330210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP CONSTRAINT servers_state_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE servers ADD CONSTRAINT servers_state_check CHECK (state IN ('scheduling',
        'building', 'active', 'stopping', 'stopped', 'starting', 'rebooting', 'hard-rebooting',
        'deleting', 'error'))`);
  }
}
