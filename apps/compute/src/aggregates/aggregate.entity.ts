import {
  Column,
  Entity,
  Generated,
  PrimaryColumn,
  Unique,
  VirtualColumn,
  ForeignKey,
  Index,
} from 'typeorm';
import { Host } from '../hosts/host.entity.js';

/** Hosts that have something in common: what its metadata says, or an availability zone. */
@Entity('aggregates')
@Unique('aggregates_name_key', ['name'])
export class Aggregate {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'aggregates_pkey' })
  @Generated('increment')
  id: number;

  @Column('uuid')
  uuid: string;

  @Column('text')
  name: string;

  /** The zone that its hosts are in; on the wire it is part of the metadata as well. */
  @Column('text', { nullable: true })
  zone: string | null;

  /** Without the zone. */
  @Column('jsonb', { default: () => `'{}'` })
  metadata: Record<string, string>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', nullable: true })
  updatedAt: Date | null;

  @VirtualColumn('text', {
    query: () =>
      'ARRAY(SELECT host FROM aggregate_hosts WHERE aggregate_id = aggregates.id ORDER BY host)',
  })
  hosts: string[];
}

/** A host of an aggregate. */
@Entity('aggregate_hosts')
@Index('aggregate_hosts_host_idx', ['host'])
export class AggregateHost {
  @PrimaryColumn('integer', {
    name: 'aggregate_id',
    primaryKeyConstraintName: 'aggregate_hosts_pkey',
  })
  @ForeignKey(() => Aggregate, { name: 'aggregate_hosts_aggregate_fkey' })
  aggregateId: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'aggregate_hosts_pkey' })
  @ForeignKey(() => Host, { name: 'aggregate_hosts_host_fkey', onDelete: 'CASCADE' })
  host: string;
}
