/** What properties of a server do not go together. */
import type { JsonObject } from '../../json/json.js';
import { isGiven, listIn, mapIn, mapsIn, textIn } from '../property-values.js';
import { checkApart } from '../neutron/network-type.js';
import { checkTransport } from './server-polling.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const SOURCES = ['volume_id', 'snapshot_id', 'image', 'swap_size'] as const;
const BOOTABLE = ['volume_id', 'snapshot_id', 'image'] as const;

/** @throws PropertyError */
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

/** `none` or `auto`, where networks are given as a word. */
export function allocatedIn(networks: readonly JsonObject[]): string | undefined {
  return networks.map((one) => textIn(one, 'allocate_network')).find((word) => word !== undefined);
}
