import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Server, type FlavorSnapshot, type ServerId } from '../server.entity.js';

/**
 * The half of a resize that is not in the server's row: what the server is to become, and once its
 * host has room for that, what it was. With a host, it counts there beside the server itself
 * (triggers keep `host_usage`).
 */
@Entity('server_resizes')
export class ServerResize {
  @PrimaryColumn('uuid', { name: 'server_id', primaryKeyConstraintName: 'server_resizes_pkey' })
  @ForeignKey(() => Server, { name: 'server_resizes_server_fkey', onDelete: 'CASCADE' })
  serverId: ServerId;

  /** Where it takes room; null until the server has become what it is to be. */
  @Column('text', { nullable: true })
  host: string | null;

  @Column('jsonb')
  flavor: FlavorSnapshot;

  @Column('integer')
  vcpus: number;

  @Column('integer', { name: 'memory_mb' })
  memoryMb: number;

  @Column('integer', { name: 'disk_gb' })
  diskGb: number;
}
