/** What an agent is to its clients. Public source: neutron-lib, `api/definitions/agent.py`. */
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

/** `2026-11-23 02:30:00`, as Neutron's rows of agents have it: not in the format of other times. */
const rowTime: types.ValueType<Date> = { ...moment, shape: String };

/** All of them are of one kind there. */
const always = (value: unknown) => {
  return ([...values]: readonly string[]): Condition =>
    () =>
      String(values.some((one) => one.toLowerCase() === String(value)));
};

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

const attributes = {
  id: shownOnly(uuid, { about: 'The ID.', column: { primary: true } }),
  agentType: shownOnly(text(), { about: 'The kind of the agent.' }),
  binary: shownOnly(text(), { about: 'The program that works there.' }),
  topic: computed(text(), {
    about: 'Always `n/a`: agents are not spoken to by messages.',
    from: () => 'n/a',
    filter: always('n/a'),
    sort: false,
  }),
  host: shownOnly(text(), { about: 'The host, as ports name it.' }),
  adminStateUp: keptElsewhere(
    attribute(flag, {
      about: 'Whether it takes work; always, as with Neutron’s OVN.',
      given: 'after-creation',
      from: () => true,
      filter: always(true),
      sort: false,
    }),
  ),
  createdAt: shownOnly(rowTime, { about: 'When it was first seen.', column: NOW }),
  startedAt: computed(rowTime, { about: 'The same.', property: 'createdAt' }),
  // By this service's own clock, when a sign of life came to notice.
  heartbeatAt: shownOnly(rowTime, {
    about: 'When it last gave a sign of life.',
    wire: 'heartbeat_timestamp',
    column: NOW,
  }),
  isAlive: shownOnly(flag, {
    about: 'Whether it gave one within the last 75 seconds.',
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
      'What it says of itself: its physical networks, and the network namespace of its guests.',
    ...neither,
  }),
  description: attribute(orNull(text()), {
    about: 'The description.',
    given: 'after-creation',
    column: { nullable: false, default: '' },
  }),
  availabilityZone: computed(orNull(text()), {
    about: 'The availability zones that it is in.',
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

/** A host of the data plane, as the process knows it that works with the data plane. */
@Entity('agents')
@Unique('agents_host_key', ['host'])
@Check('agents_state_check', `state IN ('present', 'gone', 'forgotten')`)
export class Agent extends rowOf(attributes) {
  declare description: string;

  @Column('text', { name: 'availability_zones', array: true })
  availabilityZones: string[];

  /** When its last sign of life came to notice, by the host's clock: another one is a new sign of life. */
  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3 })
  seenAt: Date;

  /**
   * `gone`: the data plane knows it no more. `forgotten`: an administrator has deleted it, and the
   * data plane has yet to let go of it.
   */
  @Column('text', { default: 'present' })
  state: 'present' | 'gone' | 'forgotten';
}
