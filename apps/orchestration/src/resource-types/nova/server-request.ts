/** The request that makes a server. Public source: Nova API reference, "Create Server". */
import { stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import { given, mapIn, textIn, textsIn, withoutGaps, withoutNulls } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { nameOf } from '../rest-resource.js';
import { disksOf } from './server-disks.js';
import { userDataOf } from './server-user-data.js';
import type { Properties } from '../../constraints/property-schema.js';

const MAX_NAME = 63;

/** @param networks as compute takes them; undefined for whichever there is */
export async function serverRequest(
  scope: ResourceScope,
  networks: Json | undefined,
): Promise<JsonObject> {
  const { properties } = scope;
  const groups = textsIn(properties, 'security_groups') ?? [];
  const hints = withoutNulls(mapIn(properties, 'scheduler_hints') ?? {});
  const server = withoutGaps({
    ...given(properties, 'key_name', 'availability_zone', 'config_drive'),
    name: serverNameOf(scope),
    imageRef: textIn(properties, 'image') ?? '',
    flavorRef: textIn(properties, 'flavor'),
    networks,
    user_data: await userDataOf(scope),
    metadata: metadataOf(properties),
    security_groups: groups.length > 0 ? groups.map((name) => ({ name })) : undefined,
    block_device_mapping_v2: disksOf(properties),
    'OS-DCF:diskConfig': textIn(properties, 'diskConfig'),
    adminPass: textIn(properties, 'admin_pass') || undefined,
  });
  return { server, ...(Object.keys(hints).length > 0 ? { 'os:scheduler_hints': hints } : {}) };
}

export function serverNameOf(scope: ResourceScope): string {
  return nameOf(scope.properties, scope, MAX_NAME);
}

/** Values that are no text, as JSON. */
export function metadataOf(properties: Properties): JsonObject {
  const metadata = Object.entries(mapIn(properties, 'metadata') ?? {});
  return Object.fromEntries(
    metadata.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : stringifyExact(value),
    ]),
  );
}
