/**
 * A server's boot disk: its image, on a local disk. Clients may describe it a second time as a
 * block device; any other disk is refused by name. Public source: Nova API reference, "Create
 * Server"; Nova user guide, "Block Device Mapping".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Flavor } from '../flavors/flavor.resource.js';
import { versionOf } from '../versions/microversions.js';
import type { BlockDeviceDto } from '../servers/dto/block-device.dto.js';
import type { LocalDisk } from '../hypervisor/ports/guest-spec.js';
import { isLocalDisk, localDisksOf } from './local-disks.js';
import type { CreateServerDto } from '../servers/server.dto.js';

interface BootDevice {
  readonly imageId: string;
  /** By which the guest finds its disk. */
  readonly tag: string | null;
  /** Besides the image's disk. */
  readonly localDisks: LocalDisk[];
}

type Property =
  | 'source_type'
  | 'destination_type'
  | 'boot_index'
  | 'device_type'
  | 'disk_bus'
  | 'device_name'
  | 'guest_format'
  | 'volume_size';

interface Rule {
  readonly property: Property;
  /** Whether the device is supported. An empty text requests nothing. */
  readonly holds: (device: BlockDeviceDto, flavor: Flavor) => boolean;
  readonly why: (flavor: Flavor) => string;
}

const NO_VOLUMES = 'there are no volumes, and a server boots from an image on its local disk';

/** In the order in which faults are reported. */
const RULES: readonly Rule[] = [
  rule('source_type', ({ source_type: source }) => !/^(volume|snapshot)$/.test(source), NO_VOLUMES),
  rule('destination_type', ({ destination_type: to }) => to !== 'volume', NO_VOLUMES),
  rule(
    'source_type',
    ({ source_type: source }) => source === 'image',
    'a server boots from an image',
  ),
  rule('boot_index', ({ boot_index: index }) => index === 0, 'the image is the boot disk, 0'),
  rule('device_type', ({ device_type: type }) => isOneOf(type, 'disk'), 'it is a disk'),
  rule('disk_bus', ({ disk_bus: bus }) => isOneOf(bus, 'virtio'), 'the disk is at virtio'),
  rule(
    'device_name',
    ({ device_name: name }) => isOneOf(name, 'vda', '/dev/vda'),
    'the disk is /dev/vda',
  ),
  rule('guest_format', ({ guest_format: format }) => !format, 'the image has its own'),
  {
    property: 'volume_size',
    holds: ({ volume_size: size = 0 }, { diskGb }) => size <= diskGb,
    why: ({ id, diskGb }) =>
      diskGb === 0
        ? `with the flavor ${id} the disk is as large as the image`
        : `the disk of the flavor ${id} has ${diskGb} GB`,
  },
];

/** @throws InvalidInputError naming the property that is not supported */
export function bootDeviceOf(
  ctx: RequestContext,
  { imageRef = '', block_device_mapping_v2: devices = [] }: CreateServerDto,
  flavor: Flavor,
): BootDevice {
  devices.forEach((device, at) => checkTag(ctx, device, at));
  const placed = devices.map((device, at) => [at, device] as const);
  const localDisks = localDisksOf(
    placed.filter(([, device]) => isLocalDisk(device)),
    flavor,
  );
  const [system, second] = placed.filter(([, device]) => !isLocalDisk(device));
  if (system) checkDevice(system[1], system[0], flavor);
  if (second) {
    checkDevice(second[1], second[0], flavor);
    throw invalid('', second[0], 'is a second disk of an image: a server has one');
  }
  const device = system?.[1];
  const imageId = imageRef === '' ? device?.uuid : imageRef;
  if (imageId === undefined) {
    throw new InvalidInputError(
      'Invalid input: server.imageRef must name the image to boot: booting from a volume is not offered.',
    );
  }
  if (device && device.uuid !== imageId) {
    throw new InvalidInputError(
      `Invalid input: server.block_device_mapping_v2 boots ${device.uuid ?? ''}, and server.imageRef is ${imageId}.`,
    );
  }
  return { imageId, tag: device?.tag ?? null, localDisks };
}

function checkDevice(device: BlockDeviceDto, at: number, flavor: Flavor): void {
  const broken = RULES.find(({ holds }) => !holds(device, flavor));
  if (broken) {
    const { property, why } = broken;
    const given = device[property] === undefined ? '' : ` '${String(device[property])}'`;
    throw invalid(`.${property}`, at, `${given} is not offered: ${why(flavor)}`.trimStart());
  }
  if (device.uuid === undefined) throw invalid('.uuid', at, 'is required: it names the image');
}

function checkTag(ctx: RequestContext, device: BlockDeviceDto, at: number): void {
  const version = versionOf(ctx);
  // Nova took tags in 2.32, lost them by mistake in 2.33, and takes them again since 2.42.
  const takesTags = version.atLeast(42) || (version.atLeast(32) && !version.atLeast(33));
  if (device.tag !== undefined && !takesTags) {
    throw invalid(
      '.tag',
      at,
      `came with microversion 2.42; the request is for ${version.toString()}`,
    );
  }
}

function rule(property: Property, holds: Rule['holds'], why: string): Rule {
  return { property, holds, why: () => why };
}

function isOneOf(value: string | undefined, ...offered: readonly string[]): boolean {
  return !value || offered.includes(value);
}

function invalid(property: string, at: number, fault: string): InvalidInputError {
  return new InvalidInputError(
    `Invalid input: server.block_device_mapping_v2.${at}${property} ${fault}.`,
  );
}
