import type { MigrationInterface, QueryRunner } from 'typeorm';

/** NICs of servers, and their part in views of servers. */
export class ServerNics1796330100000 implements MigrationInterface {
  readonly name = 'ServerNics1796330100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE server_nics (
        id uuid NOT NULL,
        server_id uuid NOT NULL,
        position integer NOT NULL,
        network_id uuid,
        is_given boolean NOT NULL DEFAULT false,
        port_id uuid,
        is_asked boolean NOT NULL DEFAULT false,
        asked_address text,
        asked_groups uuid[],
        tag text,
        host text,
        mac_address text,
        vif jsonb,
        network jsonb,
        addresses jsonb NOT NULL DEFAULT '[]',
        floating_ips jsonb NOT NULL DEFAULT '[]',
        group_names text[] NOT NULL DEFAULT '{}',
        seen_at timestamptz,
        state text NOT NULL,
        previous_state text,
        state_since timestamptz NOT NULL DEFAULT now(),
        state_deadline timestamptz,
        generation integer NOT NULL DEFAULT 1,
        state_reason text,
        CONSTRAINT server_nics_pkey PRIMARY KEY (id),
        CONSTRAINT server_nics_server_id_fkey FOREIGN KEY (server_id)
          REFERENCES servers (id) ON DELETE CASCADE,
        CONSTRAINT server_nics_state_check CHECK (
          state IN ('attached', 'attaching', 'refreshing', 'detaching', 'releasing'))
      )`);
    await runner.query('CREATE INDEX server_nics_server_idx ON server_nics (server_id)');
    await runner.query('CREATE UNIQUE INDEX server_nics_port_key ON server_nics (port_id)');
    await runner.query(`
      ALTER TABLE servers
        ADD addresses jsonb NOT NULL DEFAULT '[]',
        ADD security_groups text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE servers DROP addresses, DROP security_groups');
    await runner.query('DROP TABLE server_nics');
  }
}
