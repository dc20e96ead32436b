import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A listener or pool that is registered as a consumer of a secret. The row is inserted before the
 * registration and deleted after the deregistration, so it may outlive the listener or pool.
 */
@Entity('tls_consumers')
@Index('tls_consumers_load_balancer_idx', ['loadBalancerId'])
export class TlsConsumer {
  @PrimaryColumn('uuid', { name: 'part_id', primaryKeyConstraintName: 'tls_consumers_pkey' })
  partId: string;

  /** The URL of a container or secret, as clients give it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'tls_consumers_pkey' })
  ref: string;

  @Column('text', { name: 'part_type' })
  partType: 'listener' | 'pool';

  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('boolean', { name: 'is_registered', default: false })
  isRegistered: boolean;

  /** Null for anything but a certificate. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}
