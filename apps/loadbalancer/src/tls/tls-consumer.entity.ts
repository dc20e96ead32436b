import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A listener or pool that uses something of the secrets service, which is told so. The row is there
 * before it is told, and until it is told otherwise: it may outlive what it is about.
 */
@Entity('tls_consumers')
@Index('tls_consumers_load_balancer_idx', ['loadBalancerId'])
export class TlsConsumer {
  /** Of the listener or pool. */
  @PrimaryColumn('uuid', { name: 'part_id', primaryKeyConstraintName: 'tls_consumers_pkey' })
  partId: string;

  /** The address of a container or secret, as clients give it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'tls_consumers_pkey' })
  ref: string;

  /** `listener` or `pool`. */
  @Column('text', { name: 'part_type' })
  partType: 'listener' | 'pool';

  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;

  @Column('text', { name: 'project_id' })
  projectId: string;

  /** Whether the secrets service has been told. */
  @Column('boolean', { name: 'is_registered', default: false })
  isRegistered: boolean;

  /** Of the certificate; null where it is none. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}
