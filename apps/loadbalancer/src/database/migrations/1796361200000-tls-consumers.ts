import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of the secrets service listeners and pools use, so that it is told, and when that expires. */
export class TlsConsumers1796361200000 implements MigrationInterface {
  readonly name = 'TlsConsumers1796361200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tls_consumers (
        part_id uuid NOT NULL,
        ref text NOT NULL,
        part_type text NOT NULL,
        load_balancer_id uuid NOT NULL,
        project_id text NOT NULL,
        is_registered boolean NOT NULL DEFAULT false,
        expires_at timestamptz,
        CONSTRAINT tls_consumers_pkey PRIMARY KEY (part_id, ref))`);
    await runner.query(
      'CREATE INDEX tls_consumers_load_balancer_idx ON tls_consumers (load_balancer_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tls_consumers');
  }
}
