/** Cards of a server as it is made. Public source: Nova API reference, "Create Server", `networks`. */
import type { Json, JsonObject } from '../../json/json.js';
import { mapsIn, textIn, withoutGaps } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import type { KeptServer } from './server-data.js';
import { leadFloatingIp, makePort, needsOwnPort } from './server-ports.js';
import { allocatedIn } from './server-validation.js';

/** @returns undefined where no card is given: it gets one of whichever network there is */
export async function networksOf(
  scope: ResourceScope,
  kept: KeptServer,
): Promise<Json | undefined> {
  const networks = mapsIn(scope.properties, 'networks') ?? [];
  if (networks.length === 0) return undefined;
  const word = allocatedIn(networks);
  if (word !== undefined) return word;
  // Begun anew after a crash, the same keys give the same ports.
  await kept.change({ ports: [], made: 0 });
  const cards: JsonObject[] = [];
  for (const network of networks) cards.push(await cardOf(scope, kept, network));
  return cards;
}

async function cardOf(
  scope: ResourceScope,
  kept: KeptServer,
  network: JsonObject,
): Promise<JsonObject> {
  const tag = textIn(network, 'tag');
  const port = needsOwnPort(network)
    ? await makePort(scope, kept, network)
    : textIn(network, 'port');
  if (port === undefined) {
    const [uuid, address] = [textIn(network, 'network'), textIn(network, 'fixed_ip')];
    return withoutGaps({ uuid, fixed_ip: address, tag });
  }
  await leadFloatingIp(scope, network, port);
  return withoutGaps({ port, tag });
}
