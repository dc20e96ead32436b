/**
 * A resource that stores a text, takes as long as it is told to, and fails where it is told to: for tests
 * of stacks. Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::TestResource.
 */
import { setTimeout } from 'node:timers/promises';
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, decimal, flag, mapOf, text, UPDATABLE } from '../declare.js';
import { flagIn, mapIn, numberIn } from '../property-values.js';
import { ReplacementNeeded, TypedFailure } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import type { Properties } from '../../constraints/property-schema.js';

type Action = 'create' | 'update' | 'delete';

const seconds = (action: Action) =>
  decimal(`Seconds to wait after a ${action}; wait_secs by default.`, UPDATABLE);

export const testResource: ResourceType = {
  name: 'OS::Heat::TestResource',
  description: 'Stores a text, for tests; can be told to wait, to fail and to be replaced.',
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

  isCreated: (scope) => Promise.resolve(isOver(scope, waitOf(scope.properties, 'create'))),

  update: ({ row, properties }, { changed }) => {
    if (changed.has('value') && flagIn(properties, 'update_replace') === true)
      throw new ReplacementNeeded();
    const isChanged = changed.has('value') && flagIn(properties, 'fail') !== true;
    const value = isChanged ? (properties['value'] ?? null) : (row.data['value'] ?? null);
    const wait = changed.has('value') ? waitOf(properties, 'update') : 0;
    return Promise.resolve({ data: { value, began: Date.now(), wait } });
  },

  isUpdated: (scope) => Promise.resolve(isOver(scope, numberOf(scope.row.data['wait']))),

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

function waitOf(properties: Properties, action: Action): number {
  const own = numberIn(mapIn(properties, 'action_wait_secs') ?? {}, action);
  return own ?? numberIn(properties, 'wait_secs') ?? 0;
}

/** @throws TypedFailure once it has waited, where it is to fail */
function isOver({ row, properties }: ExistingScope, wait: number): boolean {
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
