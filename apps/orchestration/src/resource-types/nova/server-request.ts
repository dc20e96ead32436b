/** The body that creates a server. Public source: Nova API reference, "Create Server". */
import type { Properties } from '../../constraints/property-schema.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import type { Json, JsonObject } from '../../json/json.js';
import { multipart, partsOf, type MimePart } from '../heat/mime.js';
import { textOfConfig } from '../heat/software-config-type.js';
import {
  asObject,
  given,
  isGiven,
  isObject,
  mapIn,
  mapsIn,
  textIn,
  textsIn,
  withoutGaps,
  withoutNulls,
} from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { nameOf } from '../rest-resource.js';
import { isPolling, polledMetadata } from './server-properties.js';

const MAX_NAME = 63;

/** @param networks in compute's form; undefined if compute chooses */
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

/** Values other than texts become JSON. */
export function metadataOf(properties: Properties): JsonObject {
  const metadata = Object.entries(mapIn(properties, 'metadata') ?? {});
  return Object.fromEntries(
    metadata.map(([key, value]) => [
      key,
      typeof value === 'string' ? value : stringifyExact(value),
    ]),
  );
}

const OPTIONS = [
  'device_name',
  'device_type',
  'disk_bus',
  'boot_index',
  'volume_size',
  'delete_on_termination',
  'volume_type',
];

/** Disks besides the image's. Public source: Nova API reference, "Create Server". */
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

/** User data in the format of the template. @returns base64; undefined if there is none */
export async function userDataOf(scope: ResourceScope): Promise<string | undefined> {
  const text = await textOf(scope);
  return text === '' ? undefined : Buffer.from(text, 'utf8').toString('base64');
}

async function textOf(scope: ResourceScope): Promise<string> {
  const { properties, row } = scope;
  const given = textIn(properties, 'user_data') ?? '';
  const format = textIn(properties, 'user_data_format');
  const own = asObject(row.metadata) ?? {};
  const metadata = isPolling(properties) ? polledMetadata(own, scope.metadataUrl()) : own;
  const metadataParts = Object.keys(metadata).length > 0 ? [metadataPart(metadata)] : [];
  if (format === 'HEAT_CFNTOOLS')
    return multipart([...GUEST_PARTS, ...toolParts(given), ...metadataParts]);
  const text = await textOfConfig(scope, given);
  if (format === 'RAW') return text;
  const ignition = ignitionOf(text);
  if (ignition) return stringifyExact(withFile(ignition, metadata));
  const parts = partsOf(text) ?? [{ content: text, subtype: 'plain' }];
  return multipart([...GUEST_PARTS, ...parts, ...metadataParts]);
}

/** An Ignition config, which has no parts. Public source: Ignition, "Configuration Specification". */
function ignitionOf(text: string): JsonObject | undefined {
  try {
    const config: unknown = parseExact(text);
    const isOne = isObject(config) && asObject(config['ignition'])?.['version'] !== undefined;
    return isOne ? config : undefined;
  } catch {
    return undefined;
  }
}

function withFile(config: JsonObject, metadata: JsonObject): JsonObject {
  if (Object.keys(metadata).length === 0) return config;
  const storage = asObject(config['storage']) ?? {};
  const files = Array.isArray(storage['files']) ? (storage['files'] as readonly JsonObject[]) : [];
  const source = `data:,${encodeURIComponent(stringifyExact(metadata))}`;
  const added = ['/var/lib/heat-cfntools', '/var/lib/cloud/data'].map((folder) => ({
    filesystem: 'root',
    path: `${folder}/cfn-init-data`,
    mode: 0o640,
    contents: { source, verification: {} },
  }));
  return { ...config, storage: { ...storage, files: [...files, ...added] } };
}

const CLOUD_CONFIG: MimePart = {
  subtype: 'cloud-config',
  filename: 'cloud-config',
  content: `output: {all: '| tee -a /var/log/cloud-init-output.log'}\n`,
};

const BOOTHOOK: MimePart = {
  subtype: 'cloud-boothook',
  filename: 'boothook.sh',
  content: `#!/bin/sh
# Images that have the tools of templates expect them in /opt/aws/bin.
if command -v cfn-create-aws-symlinks > /dev/null; then cfn-create-aws-symlinks; fi
exit 0
`,
};

/** Stores parts of type x-cfninitdata as files, where cfn's tools look for them. */
const PART_HANDLER: MimePart = {
  subtype: 'part-handler',
  filename: 'part-handler.py',
  content: `# part-handler
import os

FOLDERS = ("/var/lib/heat-cfntools", "/var/lib/cloud/data")


def list_types():
    return ["text/x-cfninitdata"]


def handle_part(data, content_type, filename, payload):
    if content_type in ("__begin__", "__end__"):
        return
    if isinstance(payload, str):
        payload = payload.encode("utf-8")
    for folder in FOLDERS:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, os.path.basename(filename))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as kept:
            kept.write(payload)
`,
};

/** Runs the stored user data and records its outcome in a file. */
const RUN_USER_DATA: MimePart = {
  subtype: 'x-shellscript',
  filename: 'run-user-data.sh',
  content: `#!/bin/sh
script=/var/lib/cloud/data/cfn-userdata
log=/var/log/heat-provision.log
[ -s "$script" ] || exit 0
chmod 700 "$script"
umask 077
echo "Provisioning began: $(date -u)" >> "$log"
"$script" >> "$log" 2>&1
code=$?
echo "Provisioning ended with code $code: $(date -u)" >> "$log"
[ "$code" -eq 0 ] && date -u > /var/lib/heat-cfntools/provision-finished
exit "$code"
`,
};

export const GUEST_PARTS: readonly MimePart[] = [CLOUD_CONFIG, BOOTHOOK, PART_HANDLER];

/**
 * Additional parts for formats other than RAW: they log the first boot and store the template's data.
 * Public source: cloud-init, "Custom part handler".
 *
 * @param userData a script
 */
export function toolParts(userData: string): readonly MimePart[] {
  const script = { content: userData, subtype: 'x-cfninitdata', filename: 'cfn-userdata' };
  return [script, RUN_USER_DATA];
}

export function metadataPart(metadata: unknown): MimePart {
  const content = stringifyExact(metadata);
  return { content, subtype: 'x-cfninitdata', filename: 'cfn-init-data' };
}
