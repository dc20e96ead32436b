import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hosts of the data plane, and the availability zones that networks and routers ask for. */
export class Agents1796870000000 implements MigrationInterface {
  readonly name = 'Agents1796870000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agents (
        id uuid NOT NULL,
        host text NOT NULL,
        agent_type text NOT NULL,
        "binary" text NOT NULL,
        description text NOT NULL DEFAULT '',
        configurations jsonb NOT NULL,
        availability_zones text[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        heartbeat_at timestamptz(3) NOT NULL DEFAULT now(),
        seen_at timestamptz(3) NOT NULL,
        state text NOT NULL DEFAULT 'present',
        CONSTRAINT agents_pkey PRIMARY KEY (id),
        CONSTRAINT agents_host_key UNIQUE (host),
        CONSTRAINT agents_state_check CHECK (state IN ('present', 'gone', 'forgotten')))`);
    for (const table of ['networks', 'routers'])
      await runner.query(
        `ALTER TABLE ${table} ADD availability_zone_hints text[] NOT NULL DEFAULT '{}'`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['networks', 'routers'])
      await runner.query(`ALTER TABLE ${table} DROP availability_zone_hints`);
    await runner.query('DROP TABLE agents');
  }
}
