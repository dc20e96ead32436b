/**
 * How the agent in a server hears of the software that is deployed to it: it asks for its metadata at
 * an address that is signed for it. Public source: Heat, "Template guide", "Software configuration";
 * os-collect-config, the collector `request`.
 */
import type { JsonObject } from '../../json/json.js';
import { asObject, textIn } from '../property-values.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** That this cloud has nothing for, and why. */
const MISSING: Readonly<Record<string, string>> = {
  POLL_SERVER_HEAT: 'servers have no user of their own',
  ZAQAR_MESSAGE: 'this cloud has no message queues',
};

export function isPolling(properties: Properties): boolean {
  return textIn(properties, 'user_data_format') === 'SOFTWARE_CONFIG';
}

/** @throws PropertyError for a transport that there is not */
export function checkTransport(properties: Properties): void {
  const transport = textIn(properties, 'software_config_transport') ?? '';
  const reason = isPolling(properties) ? MISSING[transport] : undefined;
  if (reason === undefined) return;
  throw new PropertyError(
    'software_config_transport',
    `${transport} is not supported, as ${reason}: use POLL_TEMP_URL, or POLL_SERVER_CFN, which is the same here.`,
  );
}

/** The metadata of a server with what its agent reads first. @param url signed for the server */
export function polledMetadata(metadata: JsonObject, url: string): JsonObject {
  const own = asObject(metadata['os-collect-config']) ?? {};
  const collectors = ['ec2', 'request', 'local'];
  return {
    ...metadata,
    'os-collect-config': { ...own, collectors, request: { metadata_url: url } },
  };
}
