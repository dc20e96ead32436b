import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the servers that have claimed a host take. Triggers of `servers` keep it; nothing else writes it. */
@Entity('host_usage')
export class HostUsage {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'host_usage_pkey' })
  host: string;

  @Column('bigint')
  vcpus: number;

  @Column('bigint', { name: 'memory_mb' })
  memoryMb: number;

  @Column('bigint', { name: 'disk_gb' })
  diskGb: number;
}
