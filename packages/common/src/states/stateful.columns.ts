import { Column } from 'typeorm';

/** The columns of every resource with a state table; written by `transition()` alone. */
export abstract class StatefulColumns {
  @Column('text')
  state: string;

  /** The previous state: what a server was before its deletion began. */
  @Column('text', { name: 'previous_state', nullable: true })
  previousState: string | null;

  @Column('timestamptz', { name: 'state_since', default: () => 'now()' })
  stateSince: Date;

  /** When a transitional state counts as failed; null in settled states. */
  @Column('timestamptz', { name: 'state_deadline', nullable: true })
  stateDeadline: Date | null;

  /**
   * Counts the row's transitions. Transitions compare it with the loaded row's, so an old run
   * cannot complete a newer request.
   */
  @Column('integer', { default: 1 })
  generation: number;

  /** The reason for the state, for the owner; null if nothing went wrong. */
  @Column('text', { name: 'state_reason', nullable: true })
  stateReason: string | null;
}
