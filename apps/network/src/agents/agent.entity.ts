import { Check, Column, Entity, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';

/** Seconds without a sign of life after which an agent is dead. Public source: neutron, `agent_down_time`. */
const DOWN_SECONDS = 75;

/** Whether an agent is alive, as SQL. @param column of its row */
export function aliveIf(column: (name: 'state' | 'heartbeat_at') => string): string {
  const since = `now() - interval '${DOWN_SECONDS} seconds'`;
  return `${column('state')} = 'present' AND ${column('heartbeat_at')} > ${since}`;
}

/** What a host says of itself. */
export interface AgentConfigurations {
  readonly bridge_mappings: Readonly<Record<string, string>>;
  readonly datapath_type: string;
  /** Where the devices of its guests are; null for the host's own. */
  readonly network_namespace: string | null;
}

/** A host of the data plane, as the process knows it that works with the data plane. */
@Entity('agents')
@Unique('agents_host_key', ['host'])
@Check('agents_state_check', `state IN ('present', 'gone', 'forgotten')`)
export class Agent {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  host: string;

  @Column('text', { name: 'agent_type' })
  agentType: string;

  @Column('text')
  binary: string;

  @Column('text', { default: '' })
  description: string;

  @Column('jsonb')
  configurations: AgentConfigurations;

  @Column('text', { name: 'availability_zones', array: true })
  availabilityZones: string[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** When its last sign of life came to notice, by this service's own clock. */
  @Column({ type: 'timestamptz', name: 'heartbeat_at', precision: 3, default: () => 'now()' })
  heartbeatAt: Date;

  /** The same by the host's clock: another one is a new sign of life. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;

  /**
   * `gone`: the data plane knows it no more. `forgotten`: an administrator has deleted it, and the
   * data plane has yet to let go of it.
   */
  @Column('text', { default: 'present' })
  state: 'present' | 'gone' | 'forgotten';

  @VirtualColumn('boolean', {
    query: (agent) => `SELECT ${aliveIf((name) => `${agent}.${name}`)}`,
  })
  isAlive: boolean;
}
