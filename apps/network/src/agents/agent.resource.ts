/** Public source: neutron-lib, `api/definitions/agent.py`. */
import { Check, Column, Entity, Unique } from 'typeorm';
import type { Condition } from '@cumulet/common/tables/condition';
import {
  attribute,
  computed,
  keptElsewhere,
  shownOnly,
  type ChangeBody,
} from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import * as types from '@cumulet/common/resources/value-type';
import { defineBareResource, neither, NOW } from '../resource/resource.js';

const { flag, moment, orNull, text, uuid } = types;

/** Agents' times have a format of their own in Neutron: `2026-11-23 02:30:00`. */
const rowTime: types.ValueType<Date> = { ...moment, shape: String };

/** Filters by an attribute that has the same value on all agents. */
const always = (value: unknown) => {
  return ([...values]: readonly string[]): Condition =>
    () =>
      String(values.some((one) => one.toLowerCase() === String(value)));
};

/** Seconds without a heartbeat until an agent is dead. Source: neutron, `agent_down_time`. */
const DOWN_SECONDS = 75;

/** SQL that tells whether an agent is alive. @param column the name of a column of its row */
export function aliveIf(column: (name: 'state' | 'heartbeat_at') => string): string {
  const since = `now() - interval '${DOWN_SECONDS} seconds'`;
  return `${column('state')} = 'present' AND ${column('heartbeat_at')} > ${since}`;
}

export interface AgentConfigurations {
  readonly bridge_mappings: Readonly<Record<string, string>>;
  readonly datapath_type: string;
  /** The network namespace of the guests' devices; null for the host's own. */
  readonly network_namespace: string | null;
}

const attributes = {
  id: shownOnly(uuid, { about: 'The ID.', column: { primary: true } }),
  agentType: shownOnly(text(), { about: 'The type of the agent.' }),
  binary: shownOnly(text(), { about: 'The program that runs on the host.' }),
  topic: computed(text(), {
    about: 'Always `n/a`: agents do not use a message queue.',
    from: () => 'n/a',
    filter: always('n/a'),
    sort: false,
  }),
  host: shownOnly(text(), { about: 'The name of the host, as in `binding:host_id`.' }),
  adminStateUp: keptElsewhere(
    attribute(flag, {
      about: 'Always true, as with Neutron’s OVN driver.',
      given: 'after-creation',
      from: () => true,
      filter: always(true),
      sort: false,
    }),
  ),
  createdAt: shownOnly(rowTime, {
    about: 'The time at which the agent first reported.',
    column: NOW,
  }),
  startedAt: computed(rowTime, { about: 'The same as `created_at`.', property: 'createdAt' }),
  // By this service's own clock, when the heartbeat was noticed.
  heartbeatAt: shownOnly(rowTime, {
    about: 'The time of the last heartbeat.',
    wire: 'heartbeat_timestamp',
    column: NOW,
  }),
  isAlive: shownOnly(flag, {
    about: 'Whether there was a heartbeat within the last 75 seconds.',
    wire: 'alive',
    virtual: (agent) => `SELECT ${aliveIf((name) => `${agent}.${name}`)}`,
    filter: (values) => {
      const asked = values.map((one) => flag.fromText(one));
      return (bind, column) => {
        const isAlive = aliveIf((name) => column(name === 'state' ? name : 'heartbeatAt'));
        return `(${isAlive}) = ANY(${bind(asked)})`;
      };
    },
    sort: false,
  }),
  configurations: shownOnly(types.json<AgentConfigurations>(), {
    about:
      'The configuration that the host reports: its physical networks and the network namespace of its guests.',
    ...neither,
  }),
  description: attribute(orNull(text()), {
    about: 'The description.',
    given: 'after-creation',
    column: { nullable: false, default: '' },
  }),
  availabilityZone: computed(orNull(text()), {
    about: 'The availability zones that the host is in, separated by commas.',
    from: ({ availabilityZones }: { readonly availabilityZones: readonly string[] }) =>
      availabilityZones.join(', '),
    filter: (values) => (bind, column) => `${column('availabilityZones')} && ${bind(values)}`,
    sort: false,
  }),
};

export const agentResource = {
  ...defineBareResource({ singular: 'agent', plural: 'agents', attributes }),
  writeTime: (time: Date): string =>
    time
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ''),
};

export type AgentChange = ChangeBody<typeof attributes>;

/** A host of the data plane, as last reported by the process that works with the data plane. */
@Entity('agents')
@Unique('agents_host_key', ['host'])
@Check('agents_state_check', `state IN ('present', 'gone', 'forgotten')`)
export class Agent extends rowOf(attributes) {
  declare description: string;

  @Column('text', { name: 'availability_zones', array: true })
  availabilityZones: string[];

  /** The host's own time of its last heartbeat; a different value means a new heartbeat. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;

  /**
   * `gone`: the data plane no longer lists it. `forgotten`: an administrator has deleted it, and
   * the data plane has yet to drop it.
   */
  @Column('text', { default: 'present' })
  state: 'present' | 'gone' | 'forgotten';
}
