import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The table of states (servers/server.states.ts) is the only list of them: `transition()`, the one door to a
 * state, allows no other. A second list here would have to change with it, while an earlier process
 * still runs.
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
