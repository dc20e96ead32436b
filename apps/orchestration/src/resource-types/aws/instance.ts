/** A server in AWS's terms. Public source: AWS CloudFormation, "AWS::EC2::Instance". */
import type { Json, JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import {
  attribute,
  flag,
  list,
  listOf,
  mapOf,
  named,
  text,
  UPDATABLE,
  decimal,
  custom,
} from '../declare.js';
import { asText, listIn, mapsIn, textIn, textsIn } from '../property-values.js';
import type { Change, ResourceScope, ResourceType } from '../resource-type.js';
import { ALWAYS_CHECKED, pairs } from './vpc.js';
import { SERVER_PROPERTIES } from '../nova/server-properties.js';
import { findServer, serverAttributes } from '../nova/server-attributes.js';
import { server } from '../nova/server.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

export const KERNEL = { notOffered: 'an image says by itself what it boots' };
export const NO_VOLUMES = { notOffered: 'there are no volumes' };

const DISK = mapOf(
  {
    DeviceName: text('The device name in the guest.', { required: true }),
    Ebs: mapOf(
      {
        DeleteOnTermination: flag('Whether it is deleted with the instance.', { default: true }),
        Iops: decimal('Operations a second.'),
        SnapshotId: text('A snapshot.', { constraints: [custom('cinder.snapshot')] }),
        VolumeSize: text('GiB of the volume.'),
        VolumeType: text('The type of the volume.'),
      },
      'A volume.',
    ),
    NoDevice: mapOf({}, 'Nothing.'),
    VirtualName: text('The name of an empty disk.'),
  },
  'A disk.',
);

/** @returns the equivalent properties of OS::Nova::Server */
export function serverProperties(properties: Properties): Properties {
  const groups = ['SecurityGroups', 'SecurityGroupIds'].flatMap(
    (name) => textsIn(properties, name) ?? [],
  );
  const subnet = textIn(properties, 'SubnetId');
  const nics = listIn(properties, 'NetworkInterfaces')?.map(nicOf);
  return {
    ...defaults,
    image: properties['ImageId'] ?? null,
    flavor: properties['InstanceType'] ?? null,
    key_name: properties['KeyName'] ?? null,
    availability_zone: properties['AvailabilityZone'] ?? null,
    security_groups: groups,
    networks: nics ?? (subnet === undefined ? null : [{ subnet }]),
    metadata: mapFrom(properties, 'Tags'),
    scheduler_hints: mapFrom(properties, 'NovaSchedulerHints'),
    user_data: properties['UserData'] ?? '',
  };
}

const defaults: Properties = Object.fromEntries(
  Object.entries(SERVER_PROPERTIES).map(([name, schema]) => [name, schema.default ?? null]),
);

/** A port, by its ID or as one of a sorted list. */
function nicOf(nic: Json): JsonObject {
  const port = typeof nic === 'string' ? nic : (nic as JsonObject)['NetworkInterfaceId'];
  return { port: port ?? null };
}

function mapFrom(properties: Properties, name: string): JsonObject {
  const entries = mapsIn(properties, name) ?? [];
  return Object.fromEntries(
    entries.map(({ Key: key, Value: value = null }) => [asText(key), value]),
  );
}

function asServer<S extends ResourceScope>(scope: S): S {
  return { ...scope, properties: serverProperties(scope.properties) };
}

function asServerChange(change: Change, scope: ResourceScope): Change {
  const before = serverProperties(change.before);
  const after = serverProperties(scope.properties);
  const names = Object.keys(after).filter((name) => !isSame(before[name], after[name]));
  return { ...change, before, changed: new Set(names) };
}

export const instance: ResourceType = {
  ...server,
  name: 'AWS::EC2::Instance',
  description: 'A virtual machine, as Amazon describes one.',
  properties: {
    ImageId: named('glance.image', 'The image that it boots.', { required: true }),
    InstanceType: named('nova.flavor', 'The flavor.', { required: true, updatable: true }),
    KeyName: text('The key pair that may log in.', { constraints: [custom('nova.keypair')] }),
    AvailabilityZone: text('The availability zone.'),
    DisableApiTermination: text('Whether it is kept.', {
      notOffered: 'a stack removes what is its own; DeletionPolicy keeps it',
    }),
    KernelId: text('The kernel.', KERNEL),
    Monitoring: flag('Whether it is measured.', { notOffered: 'nothing here has meters' }),
    PlacementGroupName: text('The placement group.', {
      notOffered: 'NovaSchedulerHints name the group of a server',
    }),
    PrivateIpAddress: text('The address.', {
      notOffered: 'NetworkInterfaces name ports, which have addresses',
    }),
    RamDiskId: text('Its first file system.', KERNEL),
    SecurityGroups: listOf(
      named('neutron.security_group', 'A security group.'),
      'The security groups of its port, by name.',
    ),
    SecurityGroupIds: listOf(
      named('neutron.security_group', 'A security group.'),
      'The security groups of its port, by id.',
    ),
    NetworkInterfaces: list('The ports.', UPDATABLE),
    SourceDestCheck: flag('Whether it is held to its addresses.', { notOffered: ALWAYS_CHECKED }),
    SubnetId: named('neutron.subnet', 'The subnet of its port.', UPDATABLE),
    Tags: pairs('The tags.', UPDATABLE),
    NovaSchedulerHints: pairs('Hints for the scheduler.'),
    Tenancy: text('Whether its host is shared.', { notOffered: 'hosts are always shared' }),
    UserData: text('The user data of the first boot.'),
    Volumes: listOf(
      mapOf(
        {
          Device: text('The device name in the guest.', { required: true }),
          VolumeId: text('The volume.', {
            required: true,
            constraints: [custom('cinder.volume')],
          }),
        },
        'A volume.',
      ),
      'Volumes, where the cloud has them.',
      { default: [] },
    ),
    BlockDeviceMappings: listOf(DISK, 'Disks, where the cloud has volumes.', {
      ...NO_VOLUMES,
    }),
  },
  attributes: {
    AvailabilityZone: attribute('string', 'Links to it.'),
    PrivateDnsName: attribute('string', 'Its address, which is its name.'),
    PublicDnsName: attribute('string', 'Its address, which is its name.'),
    PrivateIp: attribute('string', 'The address.'),
    PublicIp: attribute('string', 'The address.'),
  },

  validate(properties) {
    if ((listIn(properties, 'Volumes') ?? []).length > 0)
      throw new PropertyError('Volumes', 'Volumes is not supported: volumes are not offered.');
    server.validate?.(serverProperties(properties));
  },
  implicitRequires: () => [],
  create: (scope) => server.create(asServer(scope)),
  isCreated: async (scope) => (await server.isCreated?.(asServer(scope))) ?? true,
  update: async (scope, change) =>
    (await server.update?.(asServer(scope), asServerChange(change, scope))) ?? {},
  isUpdated: async (scope) => (await server.isUpdated?.(asServer(scope))) ?? true,

  restored: (properties, data) => ({ ...properties, ImageId: data['snapshot_image_id'] ?? null }),

  async attributesOf(scope) {
    const found = (await findServer(scope)) ?? {};
    const { first_address: address = '' } = await serverAttributes(scope, ['first_address']);
    return {
      AvailabilityZone: found['OS-EXT-AZ:availability_zone'] ?? null,
      PrivateDnsName: address,
      PublicDnsName: address,
      PrivateIp: address,
      PublicIp: address,
    };
  },
};
