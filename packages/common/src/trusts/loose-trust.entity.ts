import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A trust that no row of the service refers to: it is being created for one, or is obsolete.
 * Leftovers are ended after a while, so that no trust outlives its purpose.
 */
@Entity('loose_trusts')
@Index('loose_trusts_created_at_idx', ['createdAt'])
export class LooseTrust {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'loose_trusts_pkey' })
  id: string;

  /** Null while its creation is unconfirmed. */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** Its expiry, which identifies it; null if it has none. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
