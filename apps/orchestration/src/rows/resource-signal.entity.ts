import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn } from 'typeorm';
import { StackResource, type StackResourceId } from './stack-resource.entity.js';
import type { JsonObject } from '../json/json.js';

/** A signal that a resource keeps. The same id again replaces it. */
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

  /** Of the id and of the content as JSON, which the bounds are about. */
  @Column('integer')
  bytes: number;

  /** Sealed. */
  @Column('text')
  content: string;
}

/** The signals of a resource, added up with each, so that none needs a look at the others. */
@Entity('signal_tallies')
@Index('signal_tallies_root_idx', ['rootId'])
export class SignalTally {
  @ForeignKey(() => StackResource, { name: 'signal_tallies_resource_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'resource_id', primaryKeyConstraintName: 'signal_tallies_pkey' })
  resourceId: StackResourceId;

  /** The stack at the top of the resource's, which has a bound too. */
  @Column('uuid', { name: 'root_id' })
  rootId: string;

  @Column('integer')
  signals: number;

  @Column('integer')
  failures: number;

  @Column('integer')
  bytes: number;
}

/** A signal that is kept. The same id again replaces it. */
export interface KeptSignal {
  readonly id: string;
  /** What the event says. */
  readonly reason: string;
  readonly isFailure: boolean;
  /** Sealed at rest; its resource's metadata show it under its id. */
  readonly content: JsonObject;
}
