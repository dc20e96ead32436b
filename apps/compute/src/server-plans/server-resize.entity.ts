import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { LocalDisk } from '../hypervisor/ports/guest-spec.js';
import { Server, type FlavorSnapshot, type ServerId } from '../servers/server.entity.js';

/**
 * The half of a resize that is not in the server's row: what the server is to become, and then what
 * it was. With a host, it counts there beside the server itself (triggers keep `host_usage`). Its host
 * is another than the server's where that moves.
 */
@Entity('server_resizes')
export class ServerResize {
  @PrimaryColumn('uuid', { name: 'server_id', primaryKeyConstraintName: 'server_resizes_pkey' })
  @ForeignKey(() => Server, { name: 'server_resizes_server_fkey', onDelete: 'CASCADE' })
  serverId: ServerId;

  /** Whether it is what the server was, rather than what it is to become. */
  @Column('boolean', { name: 'is_former', default: false })
  isFormer: boolean;

  /** Where it takes room; null until that is claimed. */
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

  /** What its disk is a layer over: on another host, an image of the server's disk. */
  @Column('jsonb')
  image: BootImage;

  @Column('jsonb', { name: 'local_disks', default: [] })
  localDisks: LocalDisk[];

  /** The host that was asked for. */
  @Column('text', { name: 'goes_to', nullable: true })
  goesTo: string | null;

  /** Whether the host that it is on will not do. */
  @Column('boolean', { name: 'must_leave', default: false })
  mustLeave: boolean;
}
