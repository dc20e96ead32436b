/**
 * What it takes for a server's cards to become those of its new properties. A card that already is
 * what is wanted stays, in whatever words that is said; ports that were made for a card that goes, go
 * with it.
 */
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { asObjects, asText, mapIn, mapsIn } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { computeCalls, serverPath } from './nova-calls.js';
import {
  matchesOf,
  presentOf,
  type Interface,
  type Ports,
  type Present,
} from './server-card-matches.js';
import { allocatedIn } from './server-validation.js';
import type { Properties } from '../../constraints/property-schema.js';

/** @returns steps, those that take away before those that add */
export async function cardSteps(
  scope: ExistingScope,
  before: Properties,
  ownPorts: Ports,
): Promise<readonly JsonObject[]> {
  const [old, wanted] = [before, scope.properties].map((one) => mapsIn(one, 'networks') ?? []) as [
    readonly JsonObject[],
    readonly JsonObject[],
  ];
  if (old.length === 0 && wanted.length === 0) return [];
  const interfaces = await interfacesOf(scope);
  const word = allocatedIn(wanted);
  if (word !== undefined || old.length === 0 || allocatedIn(old) !== undefined) {
    const added = word === undefined ? wanted.map(attach) : word === 'auto' ? [attach({})] : [];
    return [...interfaces.map(({ port }) => detach(port, {})), ...added];
  }
  const present = presentOf(old, interfaces);
  const taken = matchesOf(wanted, present, ownPorts);
  const kept = wanted.flatMap((card, at) => {
    const match = taken[at];
    return match ? extraSteps(card, match, ownPorts) : [];
  });
  const gone = present.filter((one) => !taken.includes(one));
  const added = wanted.length === 0 ? [{}] : wanted.filter((_, at) => taken[at] === undefined);
  return [...kept, ...gone.flatMap(detachOf), ...added.map(attach)];
}

const detach = (port: string, network: JsonObject): JsonObject => ({ do: 'detach', port, network });
const attach = (network: JsonObject): JsonObject => ({ do: 'attach', network });

function detachOf({ card, as }: Present): readonly JsonObject[] {
  return as ? [detach(as.port, card)] : [];
}

function extraSteps(
  card: JsonObject,
  { card: before, as }: Present,
  own: Ports,
): readonly JsonObject[] {
  const [old, extra] = [before, card].map((one) => mapIn(one, 'port_extra_properties'));
  if (isSame(old, extra) || as === undefined || !own.includes(as.port)) return [];
  return [{ do: 'change-port', port: as.port, before: old ?? {}, after: extra ?? {} }];
}

export async function interfacesOf(scope: ExistingScope): Promise<readonly Interface[]> {
  const path = `${serverPath(scope.row.physicalId)}/os-interface`;
  const { interfaceAttachments: shown = null } = await computeCalls(scope).get(path);
  return asObjects(shown).map((one) => {
    const addresses = asObjects(one['fixed_ips']);
    return {
      port: asText(one['port_id']),
      network: asText(one['net_id']),
      subnets: addresses.map(({ subnet_id: id }) => asText(id)),
      addresses: addresses.map(({ ip_address: address }) => asText(address)),
    };
  });
}
