/**
 * What it takes for a server's cards to become those of its new properties. Cards that are written
 * the same stay; ports that were made for a card that goes, go with it.
 */
import type { JsonObject } from '../../template/json.js';
import {
  asObjects,
  asText,
  isSame,
  mapIn,
  mapsIn,
  textIn,
  withoutNulls,
} from '../property-values.js';
import type { ExistingScope, Properties } from '../resource-type.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { allocatedIn } from './server-validation.js';

/** A card as compute has it. */
interface Interface {
  readonly port: string;
  readonly network: string;
  readonly subnets: readonly string[];
  readonly addresses: readonly string[];
}

/** @returns steps, those that take away first */
export async function cardSteps(
  scope: ExistingScope,
  before: Properties,
  ownPorts: readonly string[],
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
  const ports = portsOf(old, interfaces);
  const left = [...wanted];
  const steps: JsonObject[] = [];
  for (const [at, card] of old.entries()) {
    const port = ports[at];
    const same = left.findIndex((one) => isSame(identityOf(one), identityOf(card)));
    const [kept] = same >= 0 ? left.splice(same, 1) : [];
    if (kept) steps.push(...extraSteps(card, kept, port, ownPorts));
    else if (port !== undefined) steps.push(detach(port, card));
  }
  const added = wanted.length === 0 ? [{}] : left;
  return [...steps, ...added.map(attach)];
}

const detach = (port: string, network: JsonObject): JsonObject => ({ do: 'detach', port, network });
const attach = (network: JsonObject): JsonObject => ({ do: 'attach', network });

/** A card without what may change while it stays: its tag, which compute never changes, and extras. */
function identityOf(card: JsonObject): JsonObject {
  const { tag: _, port_extra_properties: extra, ...rest } = withoutNulls(card);
  return { ...rest, own: extra !== undefined };
}

function extraSteps(
  before: JsonObject,
  after: JsonObject,
  port: string | undefined,
  ownPorts: readonly string[],
): readonly JsonObject[] {
  const [old, extra] = [before, after].map((one) => mapIn(one, 'port_extra_properties'));
  if (isSame(old, extra) || port === undefined || !ownPorts.includes(port)) return [];
  return [{ do: 'change-port', port, before: old ?? {}, after: extra ?? {} }];
}

/** The ports of cards, in their order: those that say which first, as the others take what is left. */
function portsOf(
  cards: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly (string | undefined)[] {
  const left = [...interfaces];
  const found: (string | undefined)[] = cards.map(() => undefined);
  const matches: ((card: JsonObject, one: Interface) => boolean)[] = [
    (card, { port }) => textIn(card, 'port') === port,
    (card, { addresses }) => addresses.includes(textIn(card, 'fixed_ip') ?? ''),
    (card, { subnets }) => subnets.includes(textIn(card, 'subnet') ?? ''),
    (card, { network }) => textIn(card, 'network') === network,
  ];
  for (const isMatch of matches)
    for (const [at, card] of cards.entries()) {
      if (found[at] !== undefined) continue;
      const index = left.findIndex((one) => isMatch(card, one));
      if (index >= 0) found[at] = left.splice(index, 1)[0]?.port;
    }
  return found;
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
