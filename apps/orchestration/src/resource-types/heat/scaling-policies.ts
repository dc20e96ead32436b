/**
 * Policies that adjust a group when they are signalled.
 * Public source: Heat template guide, OS::Heat::ScalingPolicy, AWS::AutoScaling::ScalingPolicy.
 */
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, decimal, integer, oneOf, range, text, UPDATABLE } from '../declare.js';
import { numberIn, textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import type { AdjustmentType } from './groups/scaling-group.js';
import { PropertyError } from '../../constraints/property.errors.js';

interface Words {
  readonly name: string;
  readonly version: string;
  readonly group: string;
  readonly by: string;
  readonly type: string;
  readonly cooldown: string;
  readonly minStep: string;
  readonly types: Readonly<Record<string, AdjustmentType>>;
  readonly urls: readonly string[];
  /** Whether adjustments and cooldowns are integers. */
  readonly number: typeof decimal;
  readonly isReferredToByUrl: boolean;
}

/** The key of a policy's data with the URL for signals. */
const URL = 'url';

function policyOf(words: Words): ResourceType {
  const { group, by, type, cooldown, minStep, types } = words;
  const percent = Object.keys(types).find((one) => types[one] === 'percent') ?? '';
  return {
    name: words.name,
    description: 'Adjusts the size of a group whenever it is signalled.',
    support: { status: 'SUPPORTED', version: words.version },
    properties: {
      [group]: text('The group.', { required: true }),
      [by]: words.number('The size of the adjustment.', { required: true, ...UPDATABLE }),
      [type]: text('The type of the adjustment.', {
        required: true,
        updatable: true,
        constraints: [oneOf(...Object.keys(types))],
      }),
      [cooldown]: words.number('Seconds in which no other adjustment follows.', UPDATABLE),
      [minStep]: integer('Members that come or go at least, where it is by percent.', {
        ...UPDATABLE,
        constraints: [range(0)],
      }),
    },
    attributes: Object.fromEntries(
      words.urls.map((name) => [name, attribute('string', 'The signed address for signals.')]),
    ),
    validate(properties) {
      if (numberIn(properties, minStep) !== undefined && textIn(properties, type) !== percent)
        throw new PropertyError(
          minStep,
          `${minStep} property should only be specified for ${type} with value ${percent}.`,
        );
    },
    create: (scope) =>
      Promise.resolve({ physicalId: scope.row.id, data: { [URL]: scope.signalUrl('others') } }),
    update: () => Promise.resolve({}),
    remove: () => Promise.resolve(),
    read: ({ row }) => Promise.resolve({ id: row.physicalId }),
    ...(words.isReferredToByUrl ? { referenceOf: ({ data, name }) => data[URL] ?? name } : {}),
    attributesOf: ({ row }, names) =>
      Promise.resolve(
        Object.fromEntries(
          names.map((name) => [name, words.urls.includes(name) ? (row.data[URL] ?? null) : null]),
        ),
      ),
    async signal(scope) {
      const { properties } = scope;
      const adjustment: JsonObject = {
        by: numberIn(properties, by) ?? 0,
        type: types[textIn(properties, type) ?? ''] ?? null,
        minStep: numberIn(properties, minStep) ?? null,
        cooldown: numberIn(properties, cooldown) ?? null,
      };
      const reason = await scope.adjust(textIn(properties, group) ?? '', adjustment satisfies Json);
      return { reason };
    },
  };
}

export const scalingPolicy = policyOf({
  name: 'OS::Heat::ScalingPolicy',
  version: '2014.1',
  group: 'auto_scaling_group_id',
  by: 'scaling_adjustment',
  type: 'adjustment_type',
  cooldown: 'cooldown',
  minStep: 'min_adjustment_step',
  types: {
    change_in_capacity: 'change',
    exact_capacity: 'exact',
    percent_change_in_capacity: 'percent',
  },
  urls: ['alarm_url', 'signal_url'],
  number: decimal,
  isReferredToByUrl: false,
});

export const amazonScalingPolicy = policyOf({
  name: 'AWS::AutoScaling::ScalingPolicy',
  version: '2014.1',
  group: 'AutoScalingGroupName',
  by: 'ScalingAdjustment',
  type: 'AdjustmentType',
  cooldown: 'Cooldown',
  minStep: 'MinAdjustmentStep',
  types: { ChangeInCapacity: 'change', ExactCapacity: 'exact', PercentChangeInCapacity: 'percent' },
  urls: ['AlarmUrl'],
  number: integer,
  isReferredToByUrl: true,
});
