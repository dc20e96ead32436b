/** A server's user data, in the format that its template asks for. */
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import type { JsonObject } from '../../json/json.js';
import { multipart, partsOf } from '../heat/mime.js';
import { textOfConfig } from '../heat/software-config-type.js';
import { asObject, isObject, textIn } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { isPolling, polledMetadata } from './server-polling.js';
import { GUEST_PARTS, metadataPart, toolParts } from './guest-parts.js';

/** @returns base64; undefined where there is none */
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

/** A config of Ignition, which reads no parts. Public source: Ignition, "Configuration Specification". */
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
