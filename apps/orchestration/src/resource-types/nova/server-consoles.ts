/** Addresses of a server's consoles. Public source: Nova API reference, "Create Console". */
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { JsonObject } from '../../json/json.js';
import { asObject, asText } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { computeCalls, serverPath } from './nova-calls.js';

const PROTOCOLS: Readonly<Record<string, string>> = {
  novnc: 'vnc',
  'spice-html5': 'spice',
  'rdp-html5': 'rdp',
  serial: 'serial',
  webmks: 'mks',
};

/** @returns by type; where there is none, why */
export async function consoleUrls(scope: ExistingScope): Promise<JsonObject> {
  const urls: Record<string, string> = {};
  for (const [type, protocol] of Object.entries(PROTOCOLS))
    urls[type] = await urlOf(scope, { protocol, type });
  return urls;
}

async function urlOf(scope: ExistingScope, console: JsonObject): Promise<string> {
  const path = `${serverPath(scope.row.physicalId)}/remote-consoles`;
  try {
    const answer = await computeCalls(scope).act(path, { remote_console: console });
    return asText(asObject(answer['remote_console'])?.['url']);
  } catch (error) {
    if (error instanceof ServiceRefusedError) return `Cannot get console url: ${error.message}`;
    throw error;
  }
}
