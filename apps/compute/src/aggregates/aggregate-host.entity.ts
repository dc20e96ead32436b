import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Host } from '../hosts/host.entity.js';
import { Aggregate } from './aggregate.entity.js';

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
