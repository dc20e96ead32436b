import type { MigrationInterface, QueryRunner } from 'typeorm';
import { STATE } from './1796500000000-core.js';

/** What compute is to be told of servers' ports. */
export class ServerEvents1796770000000 implements MigrationInterface {
  readonly name = 'ServerEvents1796770000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE server_events (id uuid PRIMARY KEY, ${STATE},
        server_id uuid NOT NULL,
        port_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
    await runner.query('CREATE INDEX server_events_order_idx ON server_events (created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE server_events');
  }
}
