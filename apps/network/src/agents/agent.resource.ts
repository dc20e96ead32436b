/** What an agent is to its clients. Public source: neutron-lib, `api/definitions/agent.py`. */
import type { Condition } from '@cumulet/common/tables/condition';
import { attribute, shownOnly, type ChangeBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { defineBareResource, neither } from '../resource/resource.js';
import { aliveIf, type Agent } from './agent.entity.js';

const { flag, moment, orNull, text, uuid } = types;

/** `2026-11-23 02:30:00`, as Neutron's rows of agents have it: not in the format of other times. */
const rowTime: types.ValueType<Date> = { ...moment, shape: String };

/** All of them are of one kind there. */
const always = (value: unknown) => {
  return ([...values]: readonly string[]): Condition =>
    () =>
      String(values.some((one) => one.toLowerCase() === String(value)));
};

const attributes = {
  id: shownOnly(uuid, { about: 'Its id.' }),
  agentType: shownOnly(text(), { about: 'What kind of agent it is.' }),
  binary: shownOnly(text(), { about: 'The program that works there.' }),
  topic: shownOnly(text(), {
    about: 'Nothing: it is not spoken to by messages.',
    from: () => 'n/a',
    filter: always('n/a'),
    sort: false,
  }),
  host: shownOnly(text(), { about: 'The host, as ports name it.' }),
  adminStateUp: attribute(flag, {
    about: 'Whether it takes work; always, as with Neutron’s OVN.',
    given: 'after-creation',
    from: () => true,
    filter: always(true),
    sort: false,
  }),
  createdAt: shownOnly(rowTime, { about: 'When it was first seen.' }),
  startedAt: shownOnly(rowTime, { about: 'The same.', property: 'createdAt' }),
  heartbeatTimestamp: shownOnly(rowTime, {
    about: 'When it last gave a sign of life.',
    property: 'heartbeatAt',
  }),
  alive: shownOnly(flag, {
    about: 'Whether it gave one within 75 seconds.',
    property: 'isAlive',
    filter: (values) => {
      const asked = values.map((one) => flag.fromText(one));
      return (bind, column) => {
        const isAlive = aliveIf((name) => column(name === 'state' ? name : 'heartbeatAt'));
        return `(${isAlive}) = ANY(${bind(asked)})`;
      };
    },
    sort: false,
  }),
  configurations: shownOnly(
    types.valueType(Object, () => ({})),
    {
      about:
        'What it says of itself: its physical networks, and the network namespace of its guests.',
      ...neither,
    },
  ),
  description: attribute(orNull(text()), { about: 'What it is for.', given: 'after-creation' }),
  availabilityZone: shownOnly(orNull(text()), {
    about: 'The availability zones that it is in.',
    from: ({ availabilityZones }: Agent) => availabilityZones.join(', '),
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
