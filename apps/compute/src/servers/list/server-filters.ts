/**
 * Filters of server lists, with their microversions and callers. Like Nova, a list ignores filters
 * that its caller may not use. Public source: Nova API reference, "List Servers"; nova,
 * `api/openstack/compute/servers.py`.
 */
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { compares, equals, holds, type Condition } from '@cumulet/common/tables/condition';
import { expressionIn, matchesPattern } from '../../http/pattern.js';
import { DEFAULT_ZONE } from '../../hosts/host.entity.js';
import { snapshotDoes } from '../snapshots/snapshot.js';
import {
  SNAPSHOT_STATES,
  WATCHED_STATES,
  RESIZE_STATES,
  SHUT_DOWN,
  statusOf,
  type ServerStatus,
} from '../server-status.js';
import { serverStates, type ServerState } from '../server.states.js';

export interface ServerFilter {
  /** The first minor microversion that has it: 26 for 2.26. */
  readonly since?: number;
  /** The first for others than administrators; by default from the first on. */
  readonly forAll?: number | 'never';
  readonly about: string;
  /** @throws InvalidInputError for an invalid expression */
  readonly where: (value: string) => Condition | undefined;
}

const NONE: Condition = () => 'false';
const ALL: Condition = () => 'true';

const pattern = (property: string) => (value: string) =>
  value === '' ? undefined : matchesPattern(property, value);

/** An ID, or an address that ends with it. */
const idOf = (ref: string): string => ref.split('/').at(-1) ?? ref;

const id = (property: string) => (ref: string) =>
  isUuid(idOf(ref)) ? equals(property, idOf(ref)) : NONE;

const word = (property: string) => (value: string) => equals(property, value);

const tags = (value: string): string[] => value.split(',');

const not =
  (condition: Condition): Condition =>
  (bind, column) =>
    `NOT (${condition(bind, column)})`;

const anyOf =
  (wanted: readonly string[]): Condition =>
  (bind, column) =>
    `${column('tags')} && ${bind(wanted)}::text[]`;

/** A time, or part of one, as servers show it. */
const time =
  (property: string) =>
  (value: string): Condition =>
  (bind, column) =>
    `position(${bind(value.replace(' ', 'T'))} IN to_char(${column(property)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) > 0`;

/** Nova matches from the start: `10.0.0` finds 10.0.0.1, and not 110.0.0.1. */
const address =
  (version: 4 | 6) =>
  (pattern: string): Condition => {
    const expression = expressionIn('addresses', pattern);
    return (bind, column) =>
      `EXISTS (
       SELECT FROM jsonb_array_elements(${column('addresses')}) AS one
        WHERE (one->>'version')::integer = ${version} AND one->>'type' = 'fixed'
          AND regexp_instr(one->>'address', ${bind(expression)}) = 1)`;
  };

const OPEN_SINCE_83 = { forAll: 83 } as const;
const FOR_OPERATORS = { forAll: 'never' } as const;

/** By wire name. */
export const SERVER_FILTERS = {
  name: { about: 'A regular expression for the value.', where: pattern('name') },
  flavor: {
    about: 'The ID or the address of a flavor.',
    where: (ref) => (bind) => `flavor->>'id' = ${bind(idOf(ref))}`,
  },
  image: { about: 'The ID or the address of an image.', where: id('imageId') },
  uuid: { about: 'The ID of the server.', where: id('id') },
  ip: { about: 'A regular expression for IPv4 addresses.', where: address(4) },
  ip6: { forAll: 5, about: 'A regular expression for IPv6 addresses.', where: address(6) },
  reservation_id: {
    about: 'The ID that the servers of one request share.',
    where: word('reservationId'),
  },
  tags: {
    since: 26,
    about: 'Servers with all of these tags.',
    where: (value) => holds('tags', tags(value)),
  },
  'tags-any': {
    since: 26,
    about: 'Servers with any of these tags.',
    where: (value) => anyOf(tags(value)),
  },
  'not-tags': {
    since: 26,
    about: 'Servers without at least one of these tags.',
    where: (value) => not(holds('tags', tags(value))),
  },
  'not-tags-any': {
    since: 26,
    about: 'Servers with none of these tags.',
    where: (value) => not(anyOf(tags(value))),
  },
  locked: {
    since: 73,
    about: 'Whether the server is locked.',
    where: (value) => {
      const isLocked = flag('locked', value);
      return (_, column) => `${column('lockedBy')} IS ${isLocked ? 'NOT NULL' : 'NULL'}`;
    },
  },
  availability_zone: {
    ...OPEN_SINCE_83,
    about: 'The availability zone of the host.',
    where: (zone) => (bind) =>
      `coalesce((SELECT zone FROM hosts WHERE hosts.name = servers.host), '${DEFAULT_ZONE}') = ${bind(zone)} AND servers.host IS NOT NULL`,
  },
  config_drive: {
    ...OPEN_SINCE_83,
    about: 'Whether the server has a config drive.',
    where: (value) => equals('configDrive', flag('config_drive', value)),
  },
  key_name: {
    ...OPEN_SINCE_83,
    about: 'The name of the key pair.',
    where: (name) => (bind) => `keypair->>'name' = ${bind(name)}`,
  },
  created_at: { ...OPEN_SINCE_83, about: 'When the server was created.', where: time('createdAt') },
  launched_at: { ...OPEN_SINCE_83, about: 'When the server first ran.', where: time('launchedAt') },
  terminated_at: { ...OPEN_SINCE_83, about: 'When the server was deleted.', where: () => NONE },
  power_state: {
    ...OPEN_SINCE_83,
    about: '0 no state, 1 running, 3 paused, 4 shut down, 6 crashed, 7 suspended.',
    where: hasPower,
  },
  task_state: { ...OPEN_SINCE_83, about: 'The task in progress.', where: hasTask },
  vm_state: {
    ...OPEN_SINCE_83,
    about: 'The state apart from a task.',
    where: (value) => isWhere(({ vmState }) => vmState === value.toLowerCase()),
  },
  progress: {
    ...OPEN_SINCE_83,
    about: 'The progress of the creation in per cent: 0 or 100.',
    where: (value) => {
      if (!['0', '100'].includes(value)) return NONE;
      return (_, column) => `${column('launchedAt')} IS ${value === '0' ? 'NULL' : 'NOT NULL'}`;
    },
  },
  user_id: {
    ...OPEN_SINCE_83,
    about: 'The ID of the user who created the server.',
    where: word('userId'),
  },
  hostname: {
    forAll: 90,
    about: 'A regular expression for the value.',
    where: pattern('hostname'),
  },
  host: { ...FOR_OPERATORS, about: 'The host of the server.', where: word('host') },
  node: { ...FOR_OPERATORS, about: 'The hypervisor of the server.', where: word('host') },
  display_name: { ...FOR_OPERATORS, about: 'As `name`.', where: pattern('name') },
  description: {
    ...FOR_OPERATORS,
    about: 'A regular expression for the value.',
    where: pattern('description'),
  },
  display_description: {
    ...FOR_OPERATORS,
    about: 'As `description`.',
    where: pattern('description'),
  },
  image_ref: { ...FOR_OPERATORS, about: 'As `image`.', where: id('imageId') },
  kernel_id: {
    ...FOR_OPERATORS,
    about: 'The ID of the kernel image.',
    where: (ref) => (bind) => `coalesce(image->'kernel'->>'id', '') = ${bind(ref)}`,
  },
  ramdisk_id: {
    ...FOR_OPERATORS,
    about: 'The ID of the ramdisk image.',
    where: (ref) => (bind) => `coalesce(image->'ramdisk'->>'id', '') = ${bind(ref)}`,
  },
  launch_index: {
    ...FOR_OPERATORS,
    about: 'The index of the server in its request.',
    where: (value) =>
      /^\d{1,9}$/.test(value) ? compares('launchIndex', 'eq', Number(value)) : NONE,
  },
  locked_by: { ...FOR_OPERATORS, about: '`owner` or `admin`.', where: word('lockedBy') },
  soft_deleted: { ...FOR_OPERATORS, about: 'Has no effect.', where: () => undefined },
  root_device_name: {
    ...FOR_OPERATORS,
    about: 'The boot disk: /dev/vda.',
    where: (value) => ('/dev/vda'.includes(value) ? ALL : NONE),
  },
  access_ip_v4: {
    ...FOR_OPERATORS,
    about: 'The IPv4 address for access.',
    where: word('accessIpV4'),
  },
  access_ip_v6: {
    ...FOR_OPERATORS,
    about: 'The IPv6 address for access.',
    where: word('accessIpV6'),
  },
  auto_disk_config: {
    ...FOR_OPERATORS,
    about: 'Whether the disk config is AUTO.',
    where: (value) => equals('diskConfig', flag('auto_disk_config', value) ? 'AUTO' : 'MANUAL'),
  },
} as const satisfies Readonly<Record<string, ServerFilter>>;

export type ServerFilterName = keyof typeof SERVER_FILTERS;

/** @throws InvalidInputError */
function flag(name: string, value: string): boolean {
  if (/^(true|t|yes|y|on|1)$/i.test(value)) return true;
  if (/^(false|f|no|n|off|0|)$/i.test(value)) return false;
  throw new InvalidInputError(`Invalid input: ${name} must be a boolean value.`);
}

/** Nova's words for status and task as filters. Servers being deleted keep their former words. */
const STATES = Object.keys(serverStates.states).filter(
  (state): state is ServerState => state !== 'deleting',
);

type Test = (words: ServerStatus) => boolean;

/** A condition for each state; servers that are being deleted come last. */
export function branchesOf(test: Test): Condition[] {
  const states = statesWhere(test);
  if (states.length === 0) return [];
  return [...states.map((state) => equals('state', state)), wasIn(states)];
}

/** Servers that pass the test. */
function isWhere(test: Test): Condition {
  const states = statesWhere(test);
  const was = wasIn(states);
  return (bind, column) => `${column('state')} = ANY(${bind(states)}) OR ${was(bind, column)}`;
}

/** Servers with this power state, even if their state says otherwise. */
function hasPower(value: string): Condition {
  const byState = isWhere(({ powerState }) => String(powerState) === value);
  return (bind, column) => {
    const state = `CASE ${column('state')} WHEN 'deleting' THEN ${column('previousState')} ELSE ${column('state')} END`;
    const isOff = `${state} = ANY(${bind(RESIZE_STATES)}) AND ${column('returnsTo')} = 'stopped'
      OR ${state} = ANY(${bind(WATCHED_STATES)}) AND ${column('guestOff')}`;
    return `CASE WHEN ${isOff} THEN ${bind(value === String(SHUT_DOWN))} ELSE ${byState(bind, column)} END`;
  };
}

/** Servers with this task. */
function hasTask(task: string): Condition {
  if (task === 'deleting') return equals('state', 'deleting');
  const states = statesWhere(({ taskState }) => taskState === task);
  const others = states.filter((state) => !SNAPSHOT_STATES.includes(state));
  const ofSnapshot = snapshotDoes(task);
  return (bind, column) =>
    `${column('state')} = ANY(${bind(others)})
      OR ${column('state')} = ANY(${bind(SNAPSHOT_STATES)}) AND ${ofSnapshot(bind, column)}`;
}

function statesWhere(test: Test): ServerState[] {
  return STATES.filter((state) => test(statusOf({ state, previousState: null })));
}

/** Former states of servers that are being deleted. */
function wasIn(states: readonly ServerState[]): Condition {
  return (bind, column) =>
    `${column('state')} = 'deleting' AND coalesce(${column('previousState')}, 'active') = ANY(${bind(states)})`;
}
