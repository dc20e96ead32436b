/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::Delay. */
import type { JsonObject } from '../../json/json.js';
import { decimal, listOf, oneOf, range, text } from '../declare.js';
import { numberIn, textsIn } from '../property-values.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import type { Properties } from '../../constraints/property-schema.js';

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
