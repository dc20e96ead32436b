/** Resources of a stack only. Public source: Heat template guide, "OpenStack Resource Types". */
import { setTimeout } from 'node:timers/promises';
import type { Properties, PropertyType } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { parseExact } from '../../json/exact-json.js';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import { typedProperty } from '../../template/properties/check-properties.js';
import {
  attribute,
  decimal,
  flag,
  listOf,
  mapOf,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import { flagIn, mapIn, numberIn, textIn, textsIn } from '../property-values.js';
import { ReplacementNeeded, TypedFailure } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';

export const none: ResourceType = {
  name: 'OS::Heat::None',
  description: 'Does nothing, whatever its properties; stands in for another type.',
  support: { status: 'SUPPORTED', version: '5.0.0' },
  properties: {},
  attributes: {},
  acceptsAnyProperty: true,
  isAttribute: () => true,
  create: (scope) => Promise.resolve({ physicalId: scope.physicalName() }),
  update: () => Promise.resolve({}),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  attributesOf: (_, names) =>
    Promise.resolve(Object.fromEntries(names.map((name) => [name, null]))),
};

const TYPES: Readonly<Record<string, PropertyType>> = {
  string: 'string',
  number: 'number',
  comma_delimited_list: 'list',
  json: 'map',
  boolean: 'boolean',
};

export const value: ResourceType = {
  name: 'OS::Heat::Value',
  description: 'Gives a value that a template makes a name for other resources to use.',
  support: { status: 'SUPPORTED', version: '7.0.0' },
  properties: {
    value: { type: 'any', description: 'The value.', required: true, updatable: true },
    type: text('The type of the value.', {
      ...UPDATABLE,
      constraints: [oneOf(...Object.keys(TYPES))],
    }),
  },
  attributes: { value: { description: 'The value, of its type.' } },
  validate: (properties) => void typed(properties),
  create: (scope) => Promise.resolve({ physicalId: scope.physicalName() }),
  update: () => Promise.resolve({}),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  attributesOf: ({ properties }, names) =>
    Promise.resolve(
      Object.fromEntries(names.map((name) => [name, name === 'value' ? typed(properties) : null])),
    ),
};

/** @throws PropertyError for a value that is not of the type */
function typed(properties: Properties): Json {
  const given = properties['value'] ?? null;
  const name = textIn(properties, 'type');
  const type = name === undefined ? undefined : TYPES[name];
  if (type === undefined || given === null) return given;
  const list = type === 'list' && typeof given === 'string' ? given.split(',') : given;
  const whole = type === 'map' && typeof list === 'string' ? parsed(list) : list;
  return typedProperty({ type, description: '' }, whole, 'value');
}

function parsed(given: string): Json {
  try {
    const value = parseExact(given) as Json;
    if (isMap(value) || Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new PropertyError('value', `"${given}" is not a map`);
}

type Action = 'CREATE' | 'DELETE' | 'SUSPEND' | 'RESUME';

const ACTIONS = ['CREATE', 'DELETE', 'SUSPEND', 'RESUME'];

export const delay: ResourceType = {
  name: 'OS::Heat::Delay',
  description: 'Delays whatever depends on it, by a time that may have a random part.',
  support: { status: 'SUPPORTED', version: '11.0.0' },
  properties: {
    min_wait: decimal('Seconds to wait at least.', {
      default: 0,
      updatable: true,
      constraints: [range(0)],
    }),
    max_jitter: decimal('The random part of the wait, at most.', {
      default: 0,
      updatable: true,
      constraints: [range(0)],
    }),
    jitter_multiplier: decimal('Seconds that a unit of the random part has.', {
      default: 1,
      updatable: true,
      constraints: [range(0)],
    }),
    actions: listOf(text('An action.'), 'Actions that are delayed.', {
      default: ['CREATE'],
      updatable: true,
      constraints: [oneOf(...ACTIONS)],
    }),
  },
  attributes: {},
  create: (scope) =>
    Promise.resolve({
      physicalId: scope.physicalName(),
      data: until(scope.properties, 'CREATE'),
    }),
  isCreated: isOver,
  update: () => Promise.resolve({}),
  remove: (scope) => scope.keep(until(scope.properties, 'DELETE')),
  isRemoved: isOver,
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
  suspend: (scope) => scope.keep(until(scope.properties, 'SUSPEND')),
  isSuspended: isOver,
  resume: (scope) => scope.keep(until(scope.properties, 'RESUME')),
  isResumed: isOver,
};

function until(properties: Properties, action: Action): JsonObject {
  const isDelayed = textsIn(properties, 'actions')?.includes(action) === true;
  const jitter =
    (numberIn(properties, 'max_jitter') ?? 0) * (numberIn(properties, 'jitter_multiplier') ?? 1);
  const seconds = (numberIn(properties, 'min_wait') ?? 0) + jitter * Math.random();
  return { until: isDelayed ? Date.now() + seconds * 1_000 : 0 };
}

function isOver({ row }: ExistingScope): Promise<boolean> {
  const { until: end } = row.data;
  return Promise.resolve(typeof end !== 'number' || Date.now() >= end);
}

type TestedAction = 'create' | 'update' | 'delete';

const seconds = (action: TestedAction) =>
  decimal(`Seconds to wait after a ${action}; wait_secs by default.`, UPDATABLE);

/**
 * Stores a text, and waits and fails as told, for tests of stacks.
 * Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::TestResource.
 */
export const testResource: ResourceType = {
  name: 'OS::Heat::TestResource',
  description: 'Stores a text, for tests; can wait, fail and be replaced on request.',
  support: { status: 'SUPPORTED', version: '5.0.0' },
  properties: {
    constraint_prop_secs: decimal('Seconds that checking the constraint would take.', {
      default: 0,
      updatable: true,
      since: '6.0.0',
    }),
    attr_wait_secs: decimal('Seconds that reading an attribute takes.', {
      default: 0,
      updatable: true,
      since: '6.0.0',
    }),
    value: text('The text that is stored.', { default: 'test_string', updatable: true }),
    update_replace_value: text('A value that never changes in place.', { since: '7.0.0' }),
    fail: flag('Whether creation and update fail.', { default: false, updatable: true }),
    update_replace: flag('Whether a change of the value replaces the resource.', {
      default: false,
      updatable: true,
    }),
    wait_secs: decimal('Seconds to wait after an action; -1 is for ever.', {
      default: 0,
      updatable: true,
    }),
    action_wait_secs: mapOf(
      { create: seconds('create'), update: seconds('update'), delete: seconds('delete') },
      'Seconds to wait after each action.',
      UPDATABLE,
    ),
    client_name: text('A client that other engines ask while they wait.', {
      default: '',
      updatable: true,
    }),
    entity_name: text('What of the client they ask for.', { default: '', updatable: true }),
  },
  attributes: { output: attribute('string', 'The text that was stored.') },

  create: (scope) => {
    const { properties } = scope;
    const waits = { began: Date.now() };
    if (flagIn(properties, 'fail') === true)
      return Promise.resolve({ physicalId: null, data: waits });
    const value = properties['value'] ?? null;
    return Promise.resolve({ physicalId: scope.physicalName(), data: { ...waits, value } });
  },

  isCreated: (scope) => Promise.resolve(isWaitOver(scope, waitOf(scope.properties, 'create'))),

  update: ({ row, properties }, { changed }) => {
    if (changed.has('value') && flagIn(properties, 'update_replace') === true)
      throw new ReplacementNeeded();
    const isChanged = changed.has('value') && flagIn(properties, 'fail') !== true;
    const value = isChanged ? (properties['value'] ?? null) : (row.data['value'] ?? null);
    const wait = changed.has('value') ? waitOf(properties, 'update') : 0;
    return Promise.resolve({ data: { value, began: Date.now(), wait } });
  },

  isUpdated: (scope) => Promise.resolve(isWaitOver(scope, numberOf(scope.row.data['wait']))),

  remove: (scope) => scope.keep({ ...scope.row.data, began: Date.now() }),

  isRemoved: ({ row, properties }) =>
    Promise.resolve(hasWaited(row.data, waitOf(properties, 'delete'))),

  read: ({ row }) => Promise.resolve({ id: row.physicalId }),

  async attributesOf({ row, properties }, names) {
    const wait = numberIn(properties, 'attr_wait_secs') ?? 0;
    if (wait > 0) await setTimeout(wait * 1_000);
    const values = names.map((name): [string, Json] => [
      name,
      name === 'output' ? (row.data['value'] ?? null) : null,
    ]);
    return Object.fromEntries(values);
  },
};

function waitOf(properties: Properties, action: TestedAction): number {
  const own = numberIn(mapIn(properties, 'action_wait_secs') ?? {}, action);
  return own ?? numberIn(properties, 'wait_secs') ?? 0;
}

/** @throws TypedFailure after the wait, if it is to fail */
function isWaitOver({ row, properties }: ExistingScope, wait: number): boolean {
  if (!hasWaited(row.data, wait)) return false;
  if (flagIn(properties, 'fail') === true)
    throw new TypedFailure('ValueError', `Test Resource failed ${row.name}`);
  return true;
}

function hasWaited({ began }: JsonObject, wait: number): boolean {
  return wait >= 0 && Date.now() - numberOf(began) >= wait * 1_000;
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
