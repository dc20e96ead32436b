import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A trust that no row of the service holds: it may be about to be made for one, or is of no use any
 * more. What is left of these is ended after a while, so that no trust outlives what it was made for.
 */
@Entity('loose_trusts')
@Index('loose_trusts_created_at_idx', ['createdAt'])
export class LooseTrust {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'loose_trusts_pkey' })
  id: string;

  /** Null where nobody has heard whether it was made. */
  @Column('text', { name: 'trust_id', nullable: true })
  trustId: string | null;

  /** The moment of its expiry, which tells it from all others; null where it was given none. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
