import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import { StackResource, type StackResourceId } from './stack-resource.entity.js';
import type { JsonObject } from '../json/json.js';

/** A stored signal; a signal with the same ID replaces it. */
@Entity('resource_signals')
export class ResourceSignal {
  @ForeignKey(() => StackResource, { name: 'resource_signals_resource_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'resource_id', primaryKeyConstraintName: 'resource_signals_pkey' })
  resourceId: StackResourceId;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'resource_signals_pkey' })
  id: string;

  @Generated('increment')
  @Column('bigint')
  position: string;

  @Column('boolean', { name: 'is_failure' })
  isFailure: boolean;

  /** Of the ID and the content as JSON, which are limited. */
  @Column('integer')
  bytes: number;

  /** Sealed. */
  @Column('text')
  content: string;
}

/** The number and size of a resource's signals, so that a new one needs no look at the others. */
@Entity('signal_tallies')
@Index('signal_tallies_root_idx', ['rootId'])
export class SignalTally {
  @ForeignKey(() => StackResource, { name: 'signal_tallies_resource_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'resource_id', primaryKeyConstraintName: 'signal_tallies_pkey' })
  resourceId: StackResourceId;

  /** The root stack, which has a limit too. */
  @Column('uuid', { name: 'root_id' })
  rootId: string;

  @Column('integer')
  signals: number;

  @Column('integer')
  failures: number;

  @Column('integer')
  bytes: number;
}

export interface StoredSignal {
  readonly id: string;
  readonly reason: string;
  readonly isFailure: boolean;
  /** Sealed at rest; shown in the resource's metadata under its ID. */
  readonly content: JsonObject;
}
