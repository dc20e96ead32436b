/** Public source: Heat template guide, "OpenStack Resource Types", OS::Heat::AutoScalingGroup. */
import { nestedSteps } from '../nested-type.js';
import type { Json } from '../../json/json.js';
import { attribute, decimal, integer, map, mapOf, range, UPDATABLE } from '../declare.js';
import { mapIn, numberIn, textsOf } from '../property-values.js';
import type { ExistingScope, NestedResource, ResourceType } from '../resource-type.js';
import {
  attributesByName,
  checkSize,
  memberAttribute,
  referencesByName,
  referencesOf,
} from './groups/members.js';
import {
  changeGroup,
  createGroup,
  isGroupDone,
  membersOf,
  paceOf,
  type Shape,
} from './groups/group-steps.js';
import {
  adjusted,
  adjustmentIn,
  scalingShape,
  type ScalingBounds,
} from './groups/scaling-group.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const NO_PACE = { min_in_service: 0, max_batch_size: 1, pause_time: 0 };

export const autoScalingGroup: ResourceType = {
  name: 'OS::Heat::AutoScalingGroup',
  description: 'A number of resources of one definition, which policies adjust.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    resource: map('What each member is, as a template would say it.', {
      required: true,
      updatable: true,
    }),
    max_size: integer('Members at most.', {
      required: true,
      updatable: true,
      constraints: [range(0)],
    }),
    min_size: integer('Members at least.', {
      required: true,
      updatable: true,
      constraints: [range(0)],
    }),
    cooldown: integer('Seconds between two adjustments.', UPDATABLE),
    desired_capacity: integer('Members to begin with.', UPDATABLE),
    rolling_updates: mapOf(
      {
        min_in_service: integer('Members in service meanwhile.', {
          default: 0,
          constraints: [range(0)],
        }),
        max_batch_size: integer('Members that change at once.', {
          default: 1,
          constraints: [range(1)],
        }),
        pause_time: decimal('Seconds between batches.', { default: 0, constraints: [range(0)] }),
      },
      'How members are brought to another definition.',
      { ...UPDATABLE, default: NO_PACE },
    ),
  },
  attributes: {
    outputs: attribute('map', 'Attributes of the members, each by their names.', '2014.2'),
    outputs_list: attribute('list', 'Attributes of the members, each as a list.', '2014.2'),
    current_size: attribute('integer', 'How many members there are.', '2015.1'),
    refs: attribute('list', 'References of the members.', '7.0.0'),
    refs_map: attribute('map', 'References of the members, by name.', '7.0.0'),
  },
  isAttribute: (name) => name.startsWith('resource.'),
  stepsToMembers: (name) => (['outputs', 'outputs_list'].includes(name) ? 1 : undefined),
  memberTypes: (properties) => textsOf([mapIn(properties, 'resource')?.['type']]),

  validate(properties) {
    checkSize(properties, 'max_size');
    const [min, max] = [
      numberIn(properties, 'min_size') ?? 0,
      numberIn(properties, 'max_size') ?? 0,
    ];
    if (max < min) throw new PropertyError('min_size', 'MinSize can not be greater than MaxSize');
    const wanted = numberIn(properties, 'desired_capacity');
    if (wanted !== undefined && (wanted < min || wanted > max))
      throw new PropertyError(
        'desired_capacity',
        'DesiredCapacity must be between MinSize and MaxSize',
      );
  },
  ...nestedSteps,

  async create(scope) {
    const { properties } = scope;
    const size = numberIn(properties, 'desired_capacity') ?? numberIn(properties, 'min_size') ?? 0;
    return { physicalId: await createGroup(scope, shapeOf(properties, size, []), undefined) };
  },
  isCreated: isDone,

  async update(scope, { changed }) {
    const { properties } = scope;
    const members = await scope.nested.resources();
    const size = await wantedSize(scope);
    const pace = changed.has('resource') ? paceOf(properties['rolling_updates']) : undefined;
    await changeGroup(scope, shapeOf(properties, size, members), pace);
    return {};
  },
  isUpdated: isDone,

  async adjust(scope, adjustment) {
    const asked = adjustmentIn(adjustment);
    if (!asked) return { reason: 'No action is required: there is no adjustment.' };
    const { properties } = scope;
    return adjusted(scope, asked, boundsOf(properties), (size, members) =>
      shapeOf(properties, size, members),
    );
  },

  async attributesOf({ nested }, names) {
    const found = await nested.resources();
    const members = found.toSorted(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
    );
    const values = names.map(async (name): Promise<[string, Json]> => [
      name,
      await valueOf(members, name),
    ]);
    return Object.fromEntries(await Promise.all(values));
  },
};

async function valueOf(members: readonly NestedResource[], name: string): Promise<Json> {
  switch (name) {
    case 'current_size':
      return members.length;
    case 'refs':
      return referencesOf(members);
    case 'refs_map':
      return referencesByName(members);
    case 'outputs':
      return attributesByName(members);
    case 'outputs_list': {
      const all = Object.entries(await attributesByName(members));
      return Object.fromEntries(
        all.map(([attribute, one]) => [attribute, Object.values(one as Record<string, Json>)]),
      );
    }
    default:
      // Members are addressed by index, because their names are random.
      return (
        (await memberAttribute(
          name,
          (which) => members.find((one) => one.name === which) ?? members[Number(which)],
        )) ?? null
      );
  }
}

async function isDone(scope: ExistingScope): Promise<boolean> {
  const size = await wantedSize(scope);
  return isGroupDone(scope, shapeOf(scope.properties, size, await scope.nested.resources()));
}

/** The desired or else the current size, within the bounds. */
async function wantedSize(scope: ExistingScope): Promise<number> {
  const { min, max } = boundsOf(scope.properties);
  const current = Object.keys(await membersOf(scope)).length;
  const wanted = numberIn(scope.properties, 'desired_capacity') ?? current;
  return Math.max(min, Math.min(max, wanted));
}

function boundsOf(properties: Properties): ScalingBounds {
  return {
    min: numberIn(properties, 'min_size') ?? 0,
    max: numberIn(properties, 'max_size') ?? 0,
    cooldown: numberIn(properties, 'cooldown') ?? 0,
  };
}

function shapeOf(properties: Properties, size: number, members: readonly NestedResource[]): Shape {
  return scalingShape(size, mapIn(properties, 'resource') ?? {}, members);
}
