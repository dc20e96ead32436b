/**
 * The steps from a server's present NICs to those of its new properties. A NIC that matches already
 * stays, however the template describes it; a NIC's own port is deleted with it.
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

/** @returns removals before additions */
export async function nicSteps(
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
  const retained = wanted.flatMap((nic, at) => {
    const match = taken[at];
    return match ? extraSteps(nic, match, ownPorts) : [];
  });
  const gone = present.filter((one) => !taken.includes(one));
  const added = wanted.length === 0 ? [{}] : wanted.filter((_, at) => taken[at] === undefined);
  return [...retained, ...gone.flatMap(detachOf), ...added.map(attach)];
}

const detach = (port: string, network: JsonObject): JsonObject => ({ do: 'detach', port, network });
const attach = (network: JsonObject): JsonObject => ({ do: 'attach', network });

function detachOf({ nic, as }: Present): readonly JsonObject[] {
  return as ? [detach(as.port, nic)] : [];
}

function extraSteps(
  nic: JsonObject,
  { nic: before, as }: Present,
  own: Ports,
): readonly JsonObject[] {
  const [old, extra] = [before, nic].map((one) => mapIn(one, 'port_extra_properties'));
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

export interface Interface {
  readonly port: string;
  readonly network: string;
  readonly subnets: readonly string[];
  readonly addresses: readonly string[];
}

/** A former NIC, and its interface unless it was detached. */
export interface Present {
  readonly nic: JsonObject;
  readonly as: Interface | undefined;
}

export type Ports = readonly string[];

export function presentOf(
  nics: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly Present[] {
  const found = interfacesFor(nics, interfaces);
  return nics.map((nic, at) => ({ nic, as: found[at] }));
}

/**
 * The former NIC that each wanted one continues. The most specific choose first: one that only names a
 * network might take the only candidate of another.
 */
export function matchesOf(
  wanted: readonly JsonObject[],
  present: readonly Present[],
  ownPorts: Ports,
): readonly (Present | undefined)[] {
  const found: (Present | undefined)[] = wanted.map(() => undefined);
  for (const name of ['port', 'fixed_ip', 'subnet', 'network'])
    for (const isMatch of [isWrittenAs, isFitting])
      for (const [at, nic] of wanted.entries()) {
        if (found[at] !== undefined || !isGiven(nic, name)) continue;
        const left = present.filter((one) => !found.includes(one));
        found[at] = left.find((one) => isMatch(nic, one, ownPorts));
      }
  return found;
}

/**
 * Except for details that do not require another NIC: the tag, which compute cannot change, and extras.
 */
function isWrittenAs(nic: JsonObject, { nic: before, as }: Present, own: Ports): boolean {
  const [one, other] = [nic, before].map((each) => {
    const { tag: _, port_extra_properties: __, ...rest } = withoutNulls(each);
    return rest;
  });
  return isSame(one, other) && mayTakeExtras(nic, before, as, own);
}

/** Whether the NIC matches already, though described differently. */
function isFitting(nic: JsonObject, { nic: before, as }: Present, own: Ports): boolean {
  if (!as) return false;
  const says = (name: string, has: readonly string[]): boolean =>
    !isGiven(nic, name) || has.includes(textIn(nic, name) ?? '');
  return (
    says('port', [as.port]) &&
    says('network', [as.network]) &&
    says('subnet', as.subnets) &&
    says('fixed_ip', as.addresses) &&
    textIn(nic, 'floating_ip') === textIn(before, 'floating_ip') &&
    mayTakeExtras(nic, before, as, own)
  );
}

/** Extras apply only to ports that were created for the server. */
function mayTakeExtras(
  nic: JsonObject,
  before: JsonObject,
  as: Interface | undefined,
  own: Ports,
): boolean {
  const [extra, old] = [nic, before].map((one) => mapIn(one, 'port_extra_properties'));
  if (isGiven(nic, 'port') || isSame(old ?? {}, extra ?? {})) return true;
  return extra !== undefined && as !== undefined && own.includes(as.port);
}

/** In the order of the NICs, specific ones first, because the others take any. */
function interfacesFor(
  nics: readonly JsonObject[],
  interfaces: readonly Interface[],
): readonly (Interface | undefined)[] {
  const left = [...interfaces];
  const found: (Interface | undefined)[] = nics.map(() => undefined);
  const matches: ((nic: JsonObject, one: Interface) => boolean)[] = [
    (nic, { port }) => textIn(nic, 'port') === port,
    (nic, { addresses }) => addresses.includes(textIn(nic, 'fixed_ip') ?? ''),
    (nic, { subnets }) => subnets.includes(textIn(nic, 'subnet') ?? ''),
    (nic, { network }) => textIn(nic, 'network') === network,
  ];
  for (const isMatch of matches)
    for (const [at, nic] of nics.entries()) {
      if (found[at] !== undefined) continue;
      const index = left.findIndex((one) => isMatch(nic, one));
      if (index >= 0) found[at] = left.splice(index, 1)[0];
    }
  return found;
}

const interfacesPath = ({ row }: ExistingScope): string =>
  `${serverPath(row.physicalId)}/os-interface`;

const portPath = (id: string): string => `/v2.0/ports/${part(id)}`;

/**
 * Frees a server's ports and fixed IPs for its replacement; a rollback takes them again.
 *
 * Always holds: they are stored before they are freed.
 *
 * @throws NotYetError until all ports are free, since the replacement cannot use them before
 */
export async function releasePorts(scope: ExistingScope): Promise<void> {
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

export async function reclaimPorts(scope: ExistingScope): Promise<void> {
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

/** By the ID of its own ports, without ports that have none. */
async function ownAddresses(scope: ExistingScope): Promise<JsonObject> {
  const addresses: Record<string, readonly JsonObject[]> = {};
  for (const id of textsIn(scope.row.data, 'ports') ?? []) {
    const port = asObject((await networkCalls(scope).find(portPath(id)))?.['port']);
    const fixedIps = asObjects(port?.['fixed_ips']);
    if (fixedIps.length > 0) addresses[id] = fixedIps;
  }
  return addresses;
}
