import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A process that works for the service. It writes the time into its row for as long as it lives. */
@Entity('engines')
@Index('engines_seen_at_idx', ['seenAt'])
export class Engine {
  /** Drawn when it starts. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'engines_pkey' })
  id: string;

  @Column('text')
  host: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** When it last gave a sign of life, by the database's clock. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt: Date;
}
