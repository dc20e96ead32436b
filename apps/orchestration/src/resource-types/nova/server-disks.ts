/** Disks of a server besides that of its image. Public source: Nova API reference, "Create Server". */
import type { JsonObject } from '../../json/json.js';
import { given, isGiven, mapsIn, textIn, withoutGaps } from '../property-values.js';
import type { Properties } from '../../constraints/property-schema.js';

const OPTIONS = [
  'device_name',
  'device_type',
  'disk_bus',
  'boot_index',
  'volume_size',
  'delete_on_termination',
  'volume_type',
];

export function disksOf(properties: Properties): readonly JsonObject[] | undefined {
  const disks = mapsIn(properties, 'block_device_mapping_v2') ?? [];
  return disks.length === 0 ? undefined : disks.map(diskOf);
}

function diskOf(disk: JsonObject): JsonObject {
  return { ...sourceOf(disk), ...withoutGaps(given(disk, ...OPTIONS)) };
}

function sourceOf(disk: JsonObject): JsonObject {
  for (const [name, source_type] of [
    ['volume_id', 'volume'],
    ['snapshot_id', 'snapshot'],
    ['image', 'image'],
  ] as const) {
    const uuid = textIn(disk, name);
    if (uuid === undefined) continue;
    return {
      uuid,
      source_type,
      destination_type: 'volume',
      boot_index: 0,
      delete_on_termination: false,
    };
  }
  const isSwap = isGiven(disk, 'swap_size');
  return withoutGaps({
    source_type: 'blank',
    destination_type: 'local',
    boot_index: -1,
    delete_on_termination: true,
    guest_format: isSwap ? 'swap' : (textIn(disk, 'ephemeral_format') ?? undefined),
    volume_size: (isSwap ? disk['swap_size'] : disk['ephemeral_size']) ?? undefined,
  });
}
