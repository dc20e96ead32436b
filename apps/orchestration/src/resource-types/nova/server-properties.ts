/** Properties of servers. Public source: Heat, "Template guide", OS::Nova::Server. */
import type {
  Properties,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { JsonObject } from '../../json/json.js';
import {
  custom,
  flag,
  integer,
  lengths,
  listOf,
  map,
  mapOf,
  named,
  olderName,
  oneOf,
  range,
  tags,
  text,
  UPDATABLE,
} from '../declare.js';
import { checkApart } from '../neutron/network-type.js';
import { EXTRA_PORT_PROPERTIES } from '../neutron/port.js';
import { asObject, isGiven, listIn, mapIn, mapsIn, textIn } from '../property-values.js';

const VOLUME = 'A volume, where the cloud has them.';
const SNAPSHOT = 'A snapshot of a volume, where the cloud has them.';

const DISK = mapOf(
  {
    device_name: text('The device name in the guest.'),
    volume_id: text(VOLUME, { constraints: [custom('cinder.volume')] }),
    image_id: olderName('image', '9.0.0', 'glance.image'),
    image: named('glance.image', 'An image that a volume is made of.', { since: '7.0.0' }),
    snapshot_id: text(SNAPSHOT, { constraints: [custom('cinder.snapshot')] }),
    swap_size: integer('MiB of swap.'),
    ephemeral_size: integer('GiB of an empty disk.', { since: '8.0.0', constraints: [range(1)] }),
    ephemeral_format: text('The file system of an empty disk.', {
      since: '8.0.0',
      constraints: [oneOf('ext2', 'ext3', 'ext4', 'xfs', 'ntfs')],
    }),
    device_type: text('Whether it is a disk or a CD-ROM.', {
      constraints: [oneOf('cdrom', 'disk')],
    }),
    disk_bus: text('The ID of the device that it belongs to.', {
      constraints: [oneOf('ide', 'lame_bus', 'sata', 'scsi', 'usb', 'virtio')],
    }),
    boot_index: integer('The position in the boot order; -1 if it is not bootable.'),
    volume_size: integer('GiB of the volume.'),
    delete_on_termination: flag('Whether it is deleted with the server.'),
    volume_type: text('The type of the volume.', {
      since: '26.0.0',
      constraints: [custom('cinder.vtype')],
    }),
  },
  'A disk.',
);

const OLD_DISK = mapOf(
  {
    device_name: text('The device name in the guest.', { required: true }),
    volume_id: text(VOLUME, { constraints: [custom('cinder.volume')] }),
    snapshot_id: text(SNAPSHOT, { constraints: [custom('cinder.snapshot')] }),
    volume_size: integer('GiB of the volume.'),
    delete_on_termination: flag('Whether it is deleted with the server.'),
  },
  'A volume.',
);

const NETWORK = mapOf(
  {
    uuid: olderName('network', '5.0.0', 'neutron.network'),
    network: named('neutron.network', 'A network to make a port on.'),
    allocate_network: text('Whichever network the project has (auto), or none.', {
      since: '9.0.0',
      constraints: [oneOf('none', 'auto')],
      updatable: true,
    }),
    fixed_ip: text('The address of the port that is made.', {
      constraints: [custom('ip_addr')],
    }),
    port: named('neutron.port', 'An existing port.'),
    port_extra_properties: mapOf(
      EXTRA_PORT_PROPERTIES,
      'Further properties of the port that is created.',
      { since: '6.0.0', updatable: true },
    ),
    subnet: named('neutron.subnet', 'The subnet that the port gets its address from.', {
      since: '5.0.0',
    }),
    floating_ip: text('The id of a floating IP that is to lead to the port.', { since: '6.0.0' }),
    tag: text('The tag by which the guest finds the interface.', { since: '9.0.0' }),
  },
  'A network interface.',
);

function policy(description: string, ...allowed: readonly [string, ...string[]]): PropertySchema {
  return text(description, {
    default: allowed[0],
    constraints: [oneOf(...allowed)],
    updatable: true,
  });
}

export const SERVER_PROPERTIES: PropertySchemas = {
  name: text('The name of the server.', UPDATABLE),
  image: named('glance.image', 'The image that it boots, by name or id.', UPDATABLE),
  block_device_mapping: listOf(OLD_DISK, 'Volumes, in the older form.'),
  block_device_mapping_v2: listOf(DISK, 'The block devices other than the disk of the image.', {
    since: '2015.1',
  }),
  flavor: named('nova.flavor', 'Its flavor, by name or id.', { required: true, updatable: true }),
  flavor_update_policy: policy('What happens when the flavor changes.', 'RESIZE', 'REPLACE'),
  image_update_policy: policy(
    'What happens when the image changes.',
    'REBUILD',
    'REPLACE',
    'REBUILD_PRESERVE_EPHEMERAL',
  ),
  key_name: text('The key pair that may log in.', { constraints: [custom('nova.keypair')] }),
  admin_user: text('The user that may log in; images have one of their own.', {
    support: { status: 'HIDDEN', version: '5.0.0' },
  }),
  availability_zone: text('The availability zone.'),
  security_groups: listOf(
    named('neutron.security_group', 'A security group.'),
    'The security groups of the ports that are made for it; a port that there is has its own.',
    { default: [] },
  ),
  networks: listOf(NETWORK, 'The network interfaces, in their order.', UPDATABLE),
  scheduler_hints: map('Hints for the scheduler, such as `group`.'),
  metadata: map('Metadata; values that are not strings are sent as JSON.', {
    updatable: true,
    default: {},
  }),
  user_data_format: text(
    'How it gets its user data: unchanged (RAW), or among parts of a whole that cloud-init reads.',
    {
      default: 'HEAT_CFNTOOLS',
      constraints: [oneOf('HEAT_CFNTOOLS', 'RAW', 'SOFTWARE_CONFIG')],
    },
  ),
  software_config_transport: text('How the server is notified of deployments.', {
    default: 'POLL_SERVER_CFN',
    updatable: true,
    constraints: [oneOf('POLL_SERVER_CFN', 'POLL_SERVER_HEAT', 'POLL_TEMP_URL', 'ZAQAR_MESSAGE')],
  }),
  user_data_update_policy: {
    ...policy('What happens when the user data change.', 'REPLACE', 'IGNORE', 'REBUILD'),
    support: { status: 'SUPPORTED', version: '6.0.0' },
  },
  user_data: text('The user data of the first boot, or the ID of a software config.', {
    default: '',
    updatable: true,
  }),
  reservation_id: text('An id for servers that were made together.'),
  config_drive: flag('Whether the server gets a config drive.'),
  diskConfig: text('How its disk is partitioned.', { constraints: [oneOf('AUTO', 'MANUAL')] }),
  personality: map('Files to inject, which the compute API no longer supports.', {
    default: {},
    support: {
      status: 'DEPRECATED',
      version: '12.0.0',
      message: 'Use user_data or metadata.',
    },
  }),
  admin_pass: text('The password of its administrator.', UPDATABLE),
  tags: tags('server', '8.0.0'),
  deployment_swift_data: mapOf(
    {
      container: text('The container.', { constraints: [lengths(1)] }),
      object: text('The object.', { constraints: [lengths(1)] }),
    },
    'The object that holds its deployments.',
    { since: '9.0.0', default: {}, updatable: true },
  ),
};

const SOURCES = ['volume_id', 'snapshot_id', 'image', 'swap_size'] as const;
const BOOTABLE = ['volume_id', 'snapshot_id', 'image'] as const;

/** @throws PropertyError for properties that exclude each other */
export function validateServer(properties: Properties): void {
  checkOffered(properties);
  checkTransport(properties);
  checkDisks(properties);
  const networks = mapsIn(properties, 'networks') ?? [];
  for (const [at, network] of networks.entries()) checkNetwork(network, `networks[${at}]`);
  const allocated = networks.findIndex((network) => isGiven(network, 'allocate_network'));
  if (allocated >= 0 && networks.length > 1)
    throw new PropertyError(
      `networks[${allocated}].allocate_network`,
      'Property "allocate_network" can not be specified if multiple network interfaces set for server.',
    );
  const withPort = networks.findIndex((network) => isGiven(network, 'port'));
  if (withPort >= 0 && (listIn(properties, 'security_groups') ?? []).length > 0)
    throw new PropertyError(
      `networks[${withPort}].port`,
      'Cannot define the following properties at the same time: security_groups, networks/port.',
    );
}

function checkOffered(properties: Properties): void {
  if (Object.keys(mapIn(properties, 'personality') ?? {}).length > 0)
    throw new PropertyError(
      'personality',
      'Cannot use the personality parameter as compute no longer has it. Use user_data instead.',
    );
  if ((listIn(properties, 'block_device_mapping') ?? []).length > 0)
    throw new PropertyError(
      'block_device_mapping',
      'block_device_mapping is not supported: volumes are not offered.',
    );
  const unsupported = ['reservation_id', 'admin_user'].find((name) => isGiven(properties, name));
  if (unsupported !== undefined)
    throw new PropertyError(unsupported, `${unsupported} is not supported.`);
}

function checkDisks(properties: Properties): void {
  const disks = mapsIn(properties, 'block_device_mapping_v2') ?? [];
  for (const [at, disk] of disks.entries()) {
    const isEphemeral = isGiven(disk, 'ephemeral_size') || isGiven(disk, 'ephemeral_format');
    const count = SOURCES.filter((name) => isGiven(disk, name)).length + (isEphemeral ? 1 : 0);
    if (count !== 1)
      throw new PropertyError(
        `block_device_mapping_v2[${at}]`,
        `Exactly one of volume_id, snapshot_id, image, swap_size and ephemeral_size or ephemeral_format must be specified, not ${count}.`,
      );
  }
  const booted = disks.filter(isBooted).length + (isGiven(properties, 'image') ? 1 : 0);
  if (booted === 0)
    throw new PropertyError('image', 'Neither image nor bootable volume is specified.');
  if (booted > 1)
    throw new PropertyError('block_device_mapping_v2', 'Multiple bootable sources are specified.');
}

function isBooted(disk: JsonObject): boolean {
  const index = disk['boot_index'] ?? 0;
  return index === 0 && BOOTABLE.some((name) => isGiven(disk, name));
}

function checkNetwork(network: JsonObject, path: string): void {
  const given = Object.keys(network).filter((name) => isGiven(network, name));
  if (given.includes('allocate_network')) {
    if (given.length > 1)
      throw new PropertyError(
        `${path}.allocate_network`,
        'Can not specify "allocate_network" with other keys of networks at the same time.',
      );
    return;
  }
  if (!['network', 'port', 'subnet'].some((name) => given.includes(name)))
    throw new PropertyError(
      path,
      'One of the properties "network", "port", "allocate_network" or "subnet" must be set.',
    );
  checkApart(network, 'fixed_ip', 'port');
  const isOwnPort = ['port', 'subnet', 'port_extra_properties'].some((name) =>
    given.includes(name),
  );
  if (given.includes('floating_ip') && !isOwnPort)
    throw new PropertyError(
      `${path}.floating_ip`,
      'Property "floating_ip" is not supported if only "network" is specified, as its port is not known.',
    );
}

/** `none` or `auto`, if networks are given as a word. */
export function allocatedIn(networks: readonly JsonObject[]): string | undefined {
  return networks.map((one) => textIn(one, 'allocate_network')).find((word) => word !== undefined);
}

/** Properties that this cloud does not support, with the reason. */
const MISSING: Readonly<Record<string, string>> = {
  POLL_SERVER_HEAT: 'servers have no user of their own',
  ZAQAR_MESSAGE: 'this cloud has no message queues',
};

export function isPolling(properties: Properties): boolean {
  return textIn(properties, 'user_data_format') === 'SOFTWARE_CONFIG';
}

/** @throws PropertyError for a transport that this cloud does not have */
export function checkTransport(properties: Properties): void {
  const transport = textIn(properties, 'software_config_transport') ?? '';
  const reason = isPolling(properties) ? MISSING[transport] : undefined;
  if (reason === undefined) return;
  throw new PropertyError(
    'software_config_transport',
    `${transport} is not supported, as ${reason}: use POLL_TEMP_URL, or POLL_SERVER_CFN, which is the same here.`,
  );
}

/**
 * Adds the configuration of the guest's agent, which polls its metadata at a signed URL.
 * Public source: Heat, "Template guide", "Software configuration"; os-collect-config, the collector
 * `request`.
 * @param url signed for the server
 */
export function polledMetadata(metadata: JsonObject, url: string): JsonObject {
  const own = asObject(metadata['os-collect-config']) ?? {};
  const collectors = ['ec2', 'request', 'local'];
  return {
    ...metadata,
    'os-collect-config': { ...own, collectors, request: { metadata_url: url } },
  };
}
