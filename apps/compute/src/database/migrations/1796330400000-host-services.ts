import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hosts as administrators see them: as a service, and as a hypervisor. */
export class HostServices1796330400000 implements MigrationInterface {
  readonly name = 'HostServices1796330400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE hosts
        ADD number serial NOT NULL,
        ADD service_id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD hypervisor_id uuid NOT NULL DEFAULT gen_random_uuid(),
        ADD disabled_reason text,
        ADD forced_down boolean NOT NULL DEFAULT false,
        ADD zone text,
        ADD address text NOT NULL DEFAULT '127.0.0.1',
        ADD cpu jsonb NOT NULL DEFAULT '{}',
        ADD uptime text NOT NULL DEFAULT '',
        ADD free_disk_gb integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT hosts_number_key UNIQUE (number),
        ADD CONSTRAINT hosts_service_id_key UNIQUE (service_id),
        ADD CONSTRAINT hosts_hypervisor_id_key UNIQUE (hypervisor_id),
        ADD CONSTRAINT hosts_disabled_reason_check CHECK (disabled_reason IS NULL OR NOT enabled)`);
    await runner.query(
      'ALTER TABLE hosts ALTER service_id DROP DEFAULT, ALTER hypervisor_id DROP DEFAULT',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE hosts
        DROP CONSTRAINT hosts_disabled_reason_check,
        DROP number, DROP service_id, DROP hypervisor_id, DROP disabled_reason, DROP forced_down,
        DROP zone, DROP address, DROP cpu, DROP uptime, DROP free_disk_gb`);
  }
}
