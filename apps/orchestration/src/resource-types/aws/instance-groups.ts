/**
 * Groups of instances and their launch configuration in AWS's terms. Public source: AWS
 * CloudFormation user guide, AWS::AutoScaling; Heat template guide, OS::Heat::InstanceGroup.
 */
import { nestedSteps } from '../nested-type.js';
import type { Json, JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import {
  attribute,
  custom,
  integer,
  list,
  listOf,
  map,
  mapOf,
  oneOf,
  text,
  UPDATABLE,
} from '../declare.js';
import { asObject, mapsIn, numberIn, textIn, textsIn } from '../property-values.js';
import type { Properties, PropertySchemas } from '../../constraints/property-schema.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { checkSize, listOfEach } from '../heat/groups/members.js';
import {
  amazonPaceOf,
  changeGroup,
  createGroup,
  isGroupDone,
  membersOf,
} from '../heat/groups/group-steps.js';
import { adjusted, adjustmentIn, scalingShape } from '../heat/groups/scaling-group.js';
import { KERNEL, NO_VOLUMES } from './instance.js';
import { PropertyError } from '../../constraints/property.errors.js';

/** The key of a launch configuration's data with the properties of its instances. */
const LAUNCHED = 'properties';

export const launchConfiguration: ResourceType = {
  name: 'AWS::AutoScaling::LaunchConfiguration',
  description: 'What the instances of a group are launched with.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    ImageId: text('The image.', { required: true, constraints: [custom('glance.image')] }),
    InstanceType: text('The flavor.', { required: true, constraints: [custom('nova.flavor')] }),
    KeyName: text('The key pair.', { constraints: [custom('nova.keypair')] }),
    UserData: text('What an instance is given to run.'),
    SecurityGroups: list('Security groups.'),
    KernelId: text('The kernel.', KERNEL),
    RamDiskId: text('The initial ramdisk.', KERNEL),
    BlockDeviceMappings: listOf(map('A device.'), 'Devices.', NO_VOLUMES),
    NovaSchedulerHints: listOf(map('A hint.'), 'Hints for the scheduler.'),
  },
  attributes: {},
  create: (scope) =>
    Promise.resolve({
      physicalId: scope.physicalName(),
      data: {
        [LAUNCHED]: Object.fromEntries(
          Object.entries(scope.properties).filter(([, value]) => value !== null),
        ),
      },
    }),
  remove: () => Promise.resolve(),
  read: ({ row }) => Promise.resolve({ id: row.physicalId }),
};

const UNASKED = { notOffered: 'a group does not ask its instances how they are' };

const COMMON: PropertySchemas = {
  AvailabilityZones: list('Zones; members go where the scheduler puts them.', { required: true }),
  LoadBalancerNames: list('Load balancers that members are given to.', {
    notOffered: 'members join an Octavia pool by an OS::Octavia::PoolMember of their own',
  }),
  Tags: listOf(
    mapOf(
      { Key: text('The key.', { required: true }), Value: text('The value.', { required: true }) },
      'A tag.',
    ),
    'Tags of the members.',
  ),
};

const ATTRIBUTES = {
  InstanceList: attribute('string', 'Addresses of the members, separated by commas.'),
};

interface GroupWords {
  readonly name: string;
  readonly properties: PropertySchemas;
  readonly policy: string;
  sizeOf(properties: Properties): number;
  /** The size after an update. */
  sizeAfter(properties: Properties, current: number): number;
  readonly isAdjusted: boolean;
  validate(properties: Properties): void;
}

function groupOf(words: GroupWords): ResourceType {
  const isDone = async (scope: ExistingScope): Promise<boolean> => {
    const current = Object.keys(await membersOf(scope)).length;
    const size = words.sizeAfter(scope.properties, current);
    return isGroupDone(
      scope,
      scalingShape(size, await memberOf(scope), await scope.nested.resources()),
    );
  };
  return {
    name: words.name,
    description: 'Instances that are launched by one configuration.',
    support: { status: 'SUPPORTED', version: '2014.1' },
    properties: { ...COMMON, ...words.properties },
    attributes: ATTRIBUTES,
    validate: (properties) => words.validate(properties),
    ...nestedSteps,

    async create(scope) {
      const size = words.sizeOf(scope.properties);
      const shape = scalingShape(size, await memberOf(scope), []);
      return { physicalId: await createGroup(scope, shape, undefined) };
    },
    isCreated: isDone,

    async update(scope) {
      const members = await membersOf(scope);
      const definition = await memberOf(scope);
      const size = words.sizeAfter(scope.properties, Object.keys(members).length);
      const policy = asObject(scope.updatePolicy)?.[words.policy];
      const isOther = Object.values(members).some((one) => !isSame(one, definition));
      const shape = scalingShape(size, definition, await scope.nested.resources());
      await changeGroup(scope, shape, isOther ? amazonPaceOf(policy) : undefined);
      return {};
    },
    isUpdated: isDone,

    ...(words.isAdjusted ? { adjust } : {}),

    async attributesOf({ nested }, names) {
      const members = await nested.resources();
      const values = names.map(async (name): Promise<[string, Json]> => {
        if (name !== 'InstanceList') return [name, null];
        const addresses = await listOfEach(members, 'PublicIp');
        return [name, addresses.filter((one) => typeof one === 'string').join(',')];
      });
      return Object.fromEntries(await Promise.all(values));
    },
  };
}

async function adjust(scope: ExistingScope, given: Json) {
  const asked = adjustmentIn(given);
  if (!asked) return { reason: 'No action is required: there is no adjustment.' };
  const { properties } = scope;
  const bounds = { ...boundsOf(properties), cooldown: numberIn(properties, 'Cooldown') ?? 0 };
  const definition = await memberOf(scope);
  return adjusted(scope, asked, bounds, (size, members) => scalingShape(size, definition, members));
}

function boundsOf(properties: Properties): { min: number; max: number } {
  const min = numberIn(properties, 'MinSize') ?? 0;
  return { min, max: numberIn(properties, 'MaxSize') ?? min };
}

/** @throws PropertyError if the launch configuration is not of the stack */
async function memberOf(scope: ResourceScope): Promise<JsonObject> {
  const { properties } = scope;
  const reference = textIn(properties, 'LaunchConfigurationName') ?? '';
  const configuration = await scope.sibling(reference);
  const launched = asObject(configuration?.data[LAUNCHED]);
  if (!launched)
    throw new PropertyError(
      'LaunchConfigurationName',
      `LaunchConfigurationName (${reference}) reference can not be found.`,
    );
  const subnet = textsIn(properties, 'VPCZoneIdentifier')?.[0];
  const tags = [
    ...(mapsIn(properties, 'Tags') ?? []),
    { Key: 'metering.groupname', Value: scope.physicalName() },
  ];
  return {
    type: 'AWS::EC2::Instance',
    properties: { ...launched, Tags: tags, ...(subnet === undefined ? {} : { SubnetId: subnet }) },
  };
}

export const instanceGroup = groupOf({
  name: 'OS::Heat::InstanceGroup',
  policy: 'RollingUpdate',
  properties: {
    LaunchConfigurationName: text('The configuration.', { required: true, ...UPDATABLE }),
    Size: integer('How many instances there are.', { required: true, ...UPDATABLE }),
  },
  sizeOf: (properties) => numberIn(properties, 'Size') ?? 0,
  sizeAfter: (properties) => numberIn(properties, 'Size') ?? 0,
  isAdjusted: false,
  validate: (properties) => checkSize(properties, 'Size'),
});

export const amazonAutoScalingGroup = groupOf({
  name: 'AWS::AutoScaling::AutoScalingGroup',
  policy: 'AutoScalingRollingUpdate',
  properties: {
    LaunchConfigurationName: text('The configuration.', { required: true, ...UPDATABLE }),
    MaxSize: integer('Instances at most.', { required: true, ...UPDATABLE }),
    MinSize: integer('Instances at least.', { required: true, ...UPDATABLE }),
    Cooldown: integer('Seconds between two adjustments.', UPDATABLE),
    DesiredCapacity: integer('Instances to begin with.', UPDATABLE),
    HealthCheckGracePeriod: integer('Seconds before an instance is asked how it is.', UNASKED),
    HealthCheckType: text('Who asks instances how they are.', {
      constraints: [oneOf('EC2', 'ELB')],
      ...UNASKED,
    }),
    VPCZoneIdentifier: list('The subnet that instances are on; one.'),
  },
  sizeOf: (properties) =>
    numberIn(properties, 'DesiredCapacity') ?? numberIn(properties, 'MinSize') ?? 0,
  sizeAfter(properties, current) {
    const { min, max } = boundsOf(properties);
    const wanted = numberIn(properties, 'DesiredCapacity') ?? current;
    return Math.max(min, Math.min(max, wanted));
  },
  isAdjusted: true,
  validate(properties) {
    checkSize(properties, 'MaxSize');
    const { min, max } = boundsOf(properties);
    if (min < 0)
      throw new PropertyError('MinSize', 'The size of AutoScalingGroup can not be less than zero');
    if (max < min) throw new PropertyError('MinSize', 'MinSize can not be greater than MaxSize');
    const wanted = numberIn(properties, 'DesiredCapacity');
    if (wanted !== undefined && (wanted < min || wanted > max))
      throw new PropertyError(
        'DesiredCapacity',
        'DesiredCapacity must be between MinSize and MaxSize',
      );
    if ((textsIn(properties, 'VPCZoneIdentifier')?.length ?? 1) !== 1)
      throw new PropertyError(
        'VPCZoneIdentifier',
        'Anything other than one VPCZoneIdentifier is not supported.',
      );
  },
});
