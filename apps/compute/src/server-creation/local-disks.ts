/**
 * Disks beside the image's: the flavor's, divided as requested. Pure. Public source: Nova user
 * guide, "Block Device Mapping in Nova".
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Flavor } from '../flavors/flavor.resource.js';
import { LOCAL_FORMATS, type LocalDisk } from '../hypervisor/ports/guest-spec.js';
import type { BlockDeviceDto } from '../servers/dto/block-device.dto.js';

const DEFAULT_FORMAT = 'ext4';
export const MAX_LOCAL_DISKS = 7;

type Sizes = Pick<Flavor, 'ephemeralGb' | 'swapMb'>;

/** Whether a device is an empty disk of the host's. */
export function isLocalDisk(device: BlockDeviceDto): boolean {
  return device.source_type === 'blank' && device.destination_type !== 'volume';
}

/** @throws InvalidInputError in Nova's words for more than the flavor has */
export function localDisksOf(
  devices: readonly (readonly [at: number, device: BlockDeviceDto])[],
  { ephemeralGb, swapMb }: Sizes,
): LocalDisk[] {
  for (const [at, device] of devices) checkDevice(at, device);
  const swaps = devices.filter(([, device]) => device.guest_format === 'swap');
  const ephemerals = devices.filter(([, device]) => device.guest_format !== 'swap');
  if (swaps.length > 1) throw new InvalidInputError('More than one swap drive requested.');
  const disks = [
    ...ephemeralDisks(ephemerals, ephemeralGb),
    ...swapDisks(swaps.map(([, device]) => device)[0], swapMb),
  ];
  if (disks.length <= MAX_LOCAL_DISKS) return disks;
  throw new InvalidInputError(
    `Invalid input: a server has at most ${MAX_LOCAL_DISKS} local disks.`,
  );
}

/** A single disk of the flavor's size, unless the client divides it. */
export function newEphemeralDisk(sizeGb: number): LocalDisk {
  return { sizeMb: sizeGb * 1024, format: DEFAULT_FORMAT, label: 'ephemeral0' };
}

function ephemeralDisks(
  devices: readonly (readonly [number, BlockDeviceDto])[],
  ephemeralGb: number,
): LocalDisk[] {
  const wanted: readonly (readonly [number, Partial<BlockDeviceDto>])[] =
    devices.length > 0 || ephemeralGb === 0 ? devices : [[0, {}]];
  const sizes = wanted.map(([, { volume_size: size = ephemeralGb }]) => size);
  if (sizes.reduce((sum, size) => sum + size, 0) > ephemeralGb)
    throw new InvalidInputError(
      'Ephemeral disks requested are larger than the instance type allows. If no size is given in one block device mapping, flavor ephemeral size will be used.',
    );
  return wanted.map(([at, device], index) => ({
    sizeMb: (sizes[index] ?? 0) * 1024,
    format: formatOf(at, device),
    label: `ephemeral${index}`,
    ...(device.tag === undefined ? {} : { tag: device.tag }),
  }));
}

function swapDisks(device: BlockDeviceDto | undefined, swapMb: number): LocalDisk[] {
  const sizeMb = device?.volume_size ?? swapMb;
  if (sizeMb > swapMb)
    throw new InvalidInputError('Swap drive requested is larger than instance type allows.');
  if (sizeMb === 0) return [];
  return [{ sizeMb, format: 'swap', ...(device?.tag === undefined ? {} : { tag: device.tag }) }];
}

function formatOf(
  at: number,
  { guest_format: given }: Partial<BlockDeviceDto>,
): LocalDisk['format'] {
  const format = given === undefined || given === '' ? DEFAULT_FORMAT : given;
  const found = LOCAL_FORMATS.find((one) => one === format);
  if (found !== undefined) return found;
  throw refused(at, 'guest_format', format, `there are ${LOCAL_FORMATS.join(', ')} and swap`);
}

function checkDevice(at: number, device: BlockDeviceDto): void {
  const {
    boot_index: index,
    device_type: type = '',
    disk_bus: bus = '',
    device_name: name,
  } = device;
  if (index !== undefined && index !== null && index >= 0)
    throw refused(at, 'boot_index', index, 'a server boots from its image');
  if (!['', 'disk'].includes(type)) throw refused(at, 'device_type', type, 'it is a disk');
  if (bus !== '') throw refused(at, 'disk_bus', bus, 'it is at the bus of the disk of the image');
  if (name !== undefined && name !== '')
    throw refused(at, 'device_name', name, 'the guest names disks');
  if (device.uuid !== undefined) throw refused(at, 'uuid', device.uuid, 'it has no source');
}

function refused(
  at: number,
  property: string,
  value: string | number,
  why: string,
): InvalidInputError {
  return new InvalidInputError(
    `Invalid input: server.block_device_mapping_v2.${at}.${property} '${value}' is not offered: ${why}.`,
  );
}
