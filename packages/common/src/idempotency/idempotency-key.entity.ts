import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request that was answered, under its Idempotency-Key. Every service has this table. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at_idx', ['createdAt'])
export class IdempotencyKey {
  /** A hash: neither the key nor the body of a request is stored. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  id: string;

  @Column('text')
  fingerprint: string;

  /** A `KeptAnswer` as JSON, sealed where the service has a key for that. */
  @Column('text')
  answer: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
