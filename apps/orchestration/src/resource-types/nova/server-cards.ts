/**
 * What it takes for a server's cards to become those of its new properties. A card that already is
 * what is wanted stays, in whatever words that is said; ports that were made for a card that goes, go
 * with it.
 */
import type { Properties } from '../../constraints/property-schema.js';
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import {
  asObject,
  asObjects,
  asText,
  isGiven,
  mapIn,
  mapsIn,
  textIn,
  textsIn,
  withoutNulls,
} from '../property-values.js';
import { NotYetError } from '../resource-type.errors.js';
import type { ExistingScope } from '../resource-type.js';
import { part } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { findServer, statusOf } from './server-attributes.js';
import { networkCalls } from './server-ports.js';
import { allocatedIn } from './server-properties.js';

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

/** A card as compute has it. */
export interface Interface {
  readonly port: string;
  readonly network: string;
  readonly subnets: readonly string[];
  readonly addresses: readonly string[];
}

/** A card of before, and as what it is there, unless it was taken away. */
export interface Present {
  readonly card: JsonObject;
  readonly as: Interface | undefined;
}

export type Ports = readonly string[];

/** What the cards of before have become, in their order. */
export function presentOf(
  cards: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly Present[] {
  const found = interfacesFor(cards, interfaces);
  return cards.map((card, at) => ({ card, as: found[at] }));
}

/**
 * Which of a server's cards is which: as a template says it, and as compute has it.
 *
 * Which card of before each wanted one is. Those that say most choose first: one that names a network
 * alone might take the only card that another can be.
 */
export function matchesOf(
  wanted: readonly JsonObject[],
  present: readonly Present[],
  ownPorts: Ports,
): readonly (Present | undefined)[] {
  const found: (Present | undefined)[] = wanted.map(() => undefined);
  for (const name of ['port', 'fixed_ip', 'subnet', 'network'])
    for (const isMatch of [isWrittenAs, isFitting])
      for (const [at, card] of wanted.entries()) {
        if (found[at] !== undefined || !isGiven(card, name)) continue;
        const left = present.filter((one) => !found.includes(one));
        found[at] = left.find((one) => isMatch(card, one, ownPorts));
      }
  return found;
}

/** But for what may change while a card stays: its tag, which compute never changes, and extras. */
function isWrittenAs(card: JsonObject, { card: before, as }: Present, own: Ports): boolean {
  const [one, other] = [card, before].map((each) => {
    const { tag: _, port_extra_properties: __, ...rest } = withoutNulls(each);
    return rest;
  });
  return isSame(one, other) && mayTakeExtras(card, before, as, own);
}

/** Whether the card is already what is wanted, though this was said in other words. */
function isFitting(card: JsonObject, { card: before, as }: Present, own: Ports): boolean {
  if (!as) return false;
  const says = (name: string, has: readonly string[]): boolean =>
    !isGiven(card, name) || has.includes(textIn(card, name) ?? '');
  return (
    says('port', [as.port]) &&
    says('network', [as.network]) &&
    says('subnet', as.subnets) &&
    says('fixed_ip', as.addresses) &&
    textIn(card, 'floating_ip') === textIn(before, 'floating_ip') &&
    mayTakeExtras(card, before, as, own)
  );
}

/** More is said of ports alone that were made for the server; and with nothing said, there is none. */
function mayTakeExtras(
  card: JsonObject,
  before: JsonObject,
  as: Interface | undefined,
  own: Ports,
): boolean {
  const [extra, old] = [card, before].map((one) => mapIn(one, 'port_extra_properties'));
  if (isGiven(card, 'port') || isSame(old ?? {}, extra ?? {})) return true;
  return extra !== undefined && as !== undefined && own.includes(as.port);
}

/** In the order of the cards: those that say which first, as the others take what is left. */
function interfacesFor(
  cards: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly (Interface | undefined)[] {
  const left = [...interfaces];
  const found: (Interface | undefined)[] = cards.map(() => undefined);
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
      if (index >= 0) found[at] = left.splice(index, 1)[0];
    }
  return found;
}

const interfacesPath = ({ row }: ExistingScope): string =>
  `${serverPath(row.physicalId)}/os-interface`;

const portPath = (id: string): string => `/v2.0/ports/${part(id)}`;

/**
 * What a server leaves to the one that takes its place, and takes again if that is rolled back: its
 * ports, and the addresses of those that were made for it.
 *
 * Always holds: what it leaves is kept in mind before it is taken away.
 *
 * @throws NotYetError until all ports are free: the next server cannot have them before
 */
export async function leavePorts(scope: ExistingScope): Promise<void> {
  const found = await findServer(scope);
  if (!found || statusOf(found) === 'ERROR') return;
  const [ports, addresses] = [await attachedTo(scope), await ownAddresses(scope)];
  const { data } = scope.row;
  const detached = [...new Set([...(textsIn(data, 'detached') ?? []), ...ports])];
  await scope.keep({ ...data, detached, addresses: { ...mapIn(data, 'addresses'), ...addresses } });
  for (const port of ports)
    await computeCalls(scope).remove(`${interfacesPath(scope)}/${part(port)}`);
  const left = ports.length > 0 ? await attachedTo(scope) : [];
  if (left.length > 0) throw new NotYetError(`Ports are being detached: ${left.join(', ')}.`);
  for (const port of Object.keys(addresses))
    await networkCalls(scope).put(portPath(port), { port: { fixed_ips: [] } });
}

export async function takePorts(scope: ExistingScope): Promise<void> {
  const { detached: _, addresses = {}, ...data } = scope.row.data;
  for (const [port, fixedIps] of Object.entries(asObject(addresses) ?? {}))
    await networkCalls(scope).put(portPath(port), { port: { fixed_ips: fixedIps } });
  const present = await attachedTo(scope);
  const ports = textsIn(scope.row.data, 'detached') ?? [];
  for (const port of ports.filter((one) => !present.includes(one)))
    await computeCalls(scope).act(interfacesPath(scope), {
      interfaceAttachment: { port_id: port },
    });
  await scope.keep(data);
}

async function attachedTo(scope: ExistingScope): Promise<readonly string[]> {
  return (await interfacesOf(scope)).map(({ port }) => port);
}

/** Of the ports that were made for it, by their ids; those without any are left out. */
async function ownAddresses(scope: ExistingScope): Promise<JsonObject> {
  const addresses: Record<string, readonly JsonObject[]> = {};
  for (const id of textsIn(scope.row.data, 'ports') ?? []) {
    const port = asObject((await networkCalls(scope).find(portPath(id)))?.['port']);
    const fixedIps = asObjects(port?.['fixed_ips']);
    if (fixedIps.length > 0) addresses[id] = fixedIps;
  }
  return addresses;
}
