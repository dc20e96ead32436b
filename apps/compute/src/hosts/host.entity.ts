import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A hypervisor host, as its agent last described it. */
@Entity('hosts')
@Check('hosts_resources_check', 'vcpus > 0 AND memory_mb >= 0 AND disk_gb >= 0')
export class Host {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'hosts_pkey' })
  name: string;

  @Column('text', { name: 'hypervisor_type' })
  hypervisorType: string;

  @Column('text', { name: 'hypervisor_version' })
  hypervisorVersion: string;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  @Column('integer', { name: 'disk_gb' })
  diskGb: number;

  /** The address of the host's own API, for what only it can read (consoles). */
  @Column('text', { name: 'api_url', nullable: true })
  apiUrl: string | null;

  /** An operator may take a host out of scheduling. */
  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
}
